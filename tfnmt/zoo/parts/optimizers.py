"""Optimizers: `[training.optimizer]`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import NonNegativeFloat, PlainValidator, PositiveFloat, TypeAdapter

from tfnmt.zoo.parts.schedules import Schedule
from tfnmt.zoo.table import Part, Share

_NUMBER = TypeAdapter(NonNegativeFloat)


def _number_or_schedule(value: Any) -> float | Schedule:
    return Schedule.model_validate(value) if isinstance(value, Mapping | Schedule) else _NUMBER.validate_python(value)


LearningRate = Annotated[NonNegativeFloat | Schedule, PlainValidator(_number_or_schedule)]
"""A number, or a table with the `kind` of a schedule. Which of the two was meant decides what an error says."""


class Optimizer(Part):
    """What turns gradients into updates."""

    learning_rate: LearningRate = 0.001


class Adadelta(Optimizer):
    """Zeiler 2012."""

    builds = "tfnmt.training.optimizers:Adadelta"
    kind: Literal["adadelta"] = "adadelta"
    learning_rate: LearningRate = 1.0
    rho: float = 0.95
    epsilon: PositiveFloat = 1e-6
    lazy: bool = False
    """Whether rows of a table (word vectors) that a batch does not touch are left alone, decayed averages included;
    then an update costs the words of the batch, not the vocabulary."""


class Adam(Optimizer):
    """Kingma and Ba 2015."""

    builds = "tfnmt.training.optimizers:Adam"
    kind: Literal["adam"] = "adam"
    beta_1: float = 0.9
    beta_2: float = 0.999
    epsilon: PositiveFloat = 1e-7
    lazy: bool = False
    """Whether rows of a table (word vectors) that a batch does not touch are left alone, decayed averages included;
    then an update costs the words of the batch, not the vocabulary."""


class Adagrad(Optimizer):
    """Duchi et al. 2011."""

    builds = "tfnmt.training.optimizers:Adagrad"
    kind: Literal["adagrad"] = "adagrad"
    initial_accumulator_value: NonNegativeFloat = 0.1
    epsilon: PositiveFloat = 1e-7


class SGD(Optimizer):
    """Stochastic gradient descent, plain or with momentum."""

    builds = "tfnmt.training.optimizers:SGD"
    kind: Literal["sgd"] = "sgd"
    learning_rate: LearningRate = 1.0
    momentum: Share = 0.0
    """Decay of the velocity that the weights move by; 0 for plain gradient descent."""
    nesterov: bool = False
    """Whether the velocity looks one update ahead."""
    lazy: bool = False
    """Whether rows of a table (word vectors) that a batch does not touch are left alone, decayed averages included;
    then an update costs the words of the batch, not the vocabulary."""
