"""Keeps small gradients alive in float16: the loss is scaled up before they are taken, and they down again."""

from __future__ import annotations

from collections.abc import Callable

import tensorflow as tf

SMALLEST = 1.0
"""A scale below which no gradient gains anything: one that is not finite there is not finite by itself."""


class LossScale:
    """No scale, for float32 and for bfloat16, whose exponents reach as far: every update is taken.

    `value` is what the gradient is divided by; `guarded` runs inside a replica, on a norm that all replicas share.
    """

    value: tf.Tensor | float = 1.0

    @property
    def variables(self) -> list[tf.Variable]:
        """What a checkpoint must keep."""
        return []

    def up(self, loss: tf.Tensor) -> tf.Tensor:
        """The loss whose gradient is taken."""
        return loss

    def guarded(self, norm: tf.Tensor, update: Callable[[], None]) -> tf.Tensor:
        """Take the update, or leave it.

        Args:
            norm: of the gradient, scaled down again.
            update: takes the step.

        Returns:
            float32 scalar: 1 if it was left, 0 if it was taken.
        """
        update()
        return tf.zeros_like(norm)


class DynamicLossScale(LossScale):
    """A scale as large as the gradients bear (Micikevicius et al. 2018, section 3.2).

    An update whose gradient is not finite is left out and the scale halved; after some updates in a row it is doubled.
    At the scale 1 it is taken whatever it is, so that a run that diverges by itself shows it.

    Args:
        initial: the first scale.
        growth_steps: updates in a row after which the scale is doubled.
    """

    def __init__(self, initial: float = 2.0**15, growth_steps: int = 2000) -> None:
        self.growth_steps = growth_steps
        self._scale = tf.Variable(initial, dtype=tf.float32, trainable=False, name="loss_scale")
        self._good = tf.Variable(0, dtype=tf.int32, trainable=False, name="updates_since_loss_scale_changed")

    @property
    def value(self) -> tf.Tensor:  # type: ignore[override]  # read where it is used
        return self._scale.read_value()

    @property
    def variables(self) -> list[tf.Variable]:
        return [self._scale, self._good]

    def up(self, loss: tf.Tensor) -> tf.Tensor:
        return loss * self.value

    def guarded(self, norm: tf.Tensor, update: Callable[[], None]) -> tf.Tensor:
        scale = self.value
        good = self._good.read_value() + 1

        def taken() -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
            update()
            grows = good >= self.growth_steps
            return tf.where(grows, 2.0 * scale, scale), tf.where(grows, 0, good), tf.zeros_like(norm)

        def left() -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
            return tf.maximum(scale / 2.0, SMALLEST), tf.zeros_like(good), tf.ones_like(norm)

        bearable = tf.math.is_finite(norm) | (scale <= SMALLEST)
        scale, good, skipped = tf.cond(bearable, taken, left)
        # Every replica knows the same norm, so each sets its own copy; strategies would have them meet first.
        tf.raw_ops.AssignVariableOp(resource=self._scale.handle, value=scale)
        tf.raw_ops.AssignVariableOp(resource=self._good.handle, value=good)
        return skipped
