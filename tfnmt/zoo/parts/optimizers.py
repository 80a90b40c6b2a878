"""Optimizers: `[training.optimizer]`."""

from __future__ import annotations

from typing import Literal

from pydantic import NonNegativeFloat, PositiveFloat

from tfnmt.zoo.table import Part


class Optimizer(Part):
    """What turns gradients into updates."""

    learning_rate: NonNegativeFloat = 0.001


class Adadelta(Optimizer):
    """Zeiler 2012. The papers' learning rate is 1, Keras's default is not."""

    builds = "keras.optimizers:Adadelta"
    kind: Literal["adadelta"] = "adadelta"
    rho: float = 0.95
    epsilon: PositiveFloat = 1e-7


class Adam(Optimizer):
    """Kingma and Ba 2015."""

    builds = "keras.optimizers:Adam"
    kind: Literal["adam"] = "adam"
    beta_1: float = 0.9
    beta_2: float = 0.999
    epsilon: PositiveFloat = 1e-7


class SGD(Optimizer):
    """Stochastic gradient descent."""

    builds = "keras.optimizers:SGD"
    kind: Literal["sgd"] = "sgd"
    learning_rate: NonNegativeFloat = 0.01
    momentum: float = 0.0
