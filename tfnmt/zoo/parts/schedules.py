"""Learning-rate schedules: `[training.optimizer.learning_rate]`, where a plain number is a constant rate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt

from tfnmt.zoo.table import Part


class Schedule(Part):
    """The learning rate as a function of the number of updates."""


class InverseSquareRoot(Schedule):
    """Rises, then falls with the inverse square root of the number of updates (Vaswani et al. 2017)."""

    builds = "tfnmt.training.schedules:InverseSquareRoot"
    kind: Literal["inverse_square_root"] = "inverse_square_root"
    units: PositiveInt
    """Width of the model."""
    warmup_steps: PositiveInt = 4000
    factor: PositiveFloat = 1.0


class HalveAfter(Schedule):
    """Constant for some epochs, then halved each epoch (Luong et al. 2015)."""

    builds = "tfnmt.training.schedules:HalveAfter"
    given: ClassVar[Mapping[str, str]] = {"steps_per_epoch": "steps_per_epoch"}
    kind: Literal["halve_after"] = "halve_after"
    learning_rate: PositiveFloat
    epochs: NonNegativeInt


class CosineDecay(Schedule):
    """Rises to `warmup_target` if there is one, then falls along a cosine."""

    builds = "keras.optimizers.schedules:CosineDecay"
    kind: Literal["cosine"] = "cosine"
    initial_learning_rate: NonNegativeFloat
    decay_steps: PositiveInt
    alpha: NonNegativeFloat = 0.0
    """The share of the rate that is left in the end."""
    warmup_target: PositiveFloat | None = None
    warmup_steps: NonNegativeInt = 0


class PolynomialDecay(Schedule):
    """Falls to `end_learning_rate`; linearly with power 1."""

    builds = "keras.optimizers.schedules:PolynomialDecay"
    kind: Literal["polynomial"] = "polynomial"
    initial_learning_rate: NonNegativeFloat
    decay_steps: PositiveInt
    end_learning_rate: NonNegativeFloat = 0.0001
    power: PositiveFloat = 1.0
