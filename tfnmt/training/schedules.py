"""Learning-rate schedules of the papers that Keras does not have.

Keras's own serve where they are exact: a plain number for a constant rate, `CosineDecay` (with `warmup_steps`) and
`PolynomialDecay` (linear with power 1). A schedule is a function of the number of updates, which every checkpoint
keeps: a resumed run goes on in it.
"""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf


@keras.saving.register_keras_serializable(package="tfnmt")
class InverseSquareRoot(keras.optimizers.schedules.LearningRateSchedule):
    """Rises linearly for `warmup_steps` updates, then falls with the inverse square root of their number.

    Update `t` (from 1) has the rate `factor * units ** -0.5 * min(t ** -0.5, t * warmup_steps ** -1.5)`: Vaswani et al.
    (2017), equation 3.

    Args:
        units: width of the model, `d_model` in the paper.
        warmup_steps: updates until the peak (paper: 4,000).
        factor: multiplies the whole (paper: 1).
    """

    def __init__(self, units: int, warmup_steps: int = 4000, factor: float = 1.0) -> None:
        if units < 1 or warmup_steps < 1:
            raise ValueError(f"units and warmup_steps must be at least 1; received {units=}, {warmup_steps=}.")
        self.units = units
        self.warmup_steps = warmup_steps
        self.factor = factor

    def __call__(self, step: Any) -> tf.Tensor:
        update = tf.cast(step, tf.float32) + 1.0  # Keras hands over the number of updates done before
        shape = tf.minimum(update**-0.5, update * self.warmup_steps**-1.5)
        return self.factor * self.units**-0.5 * shape

    def get_config(self) -> dict[str, Any]:
        return {"units": self.units, "warmup_steps": self.warmup_steps, "factor": self.factor}


@keras.saving.register_keras_serializable(package="tfnmt")
class HalveAfter(keras.optimizers.schedules.LearningRateSchedule):
    """Constant for some epochs, then halved at the beginning of each epoch.

    Luong et al. (2015), section 4.1: rate 1 for 5 epochs, then halved every epoch, so that epoch 6 has 0.5 and epoch 10
    has 1/32; with dropout 8 epochs, so that epoch 9 has 0.5.

    Args:
        learning_rate: of the first epochs.
        epochs: how many epochs have it.
        steps_per_epoch: updates of an epoch (`Batches.count(0)`).
    """

    def __init__(self, learning_rate: float, epochs: int, steps_per_epoch: int) -> None:
        if epochs < 0 or steps_per_epoch < 1:
            raise ValueError(
                f"epochs must be at least 0 and steps_per_epoch at least 1; received {epochs=}, {steps_per_epoch=}."
            )
        self.learning_rate = learning_rate
        self.epochs = epochs
        self.steps_per_epoch = steps_per_epoch

    def __call__(self, step: Any) -> tf.Tensor:
        epoch = tf.cast(step, tf.int64) // self.steps_per_epoch  # from 0
        halvings = tf.maximum(epoch - self.epochs + 1, 0)
        return self.learning_rate * 0.5 ** tf.cast(halvings, tf.float32)

    def get_config(self) -> dict[str, Any]:
        return {
            "learning_rate": self.learning_rate,
            "epochs": self.epochs,
            "steps_per_epoch": self.steps_per_epoch,
        }
