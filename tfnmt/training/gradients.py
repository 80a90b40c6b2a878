"""The gradient of a global batch: summed over the replicas, normalised, clipped by its global norm."""

from __future__ import annotations

from collections.abc import Sequence

import tensorflow as tf


def dense(gradient: tf.Tensor | tf.IndexedSlices | None, like: tf.Variable) -> tf.Tensor:
    """The gradient as one dense tensor: repeated rows of an embedding summed, a missing gradient zero.

    Rows must be summed before the norm is taken: the norm of the parts is not the norm of their sum.
    """
    if gradient is None:
        return tf.zeros_like(like)
    return tf.convert_to_tensor(gradient)


def summed_over_replicas(values: Sequence[tf.Tensor]) -> list[tf.Tensor]:
    """The sums of the values over all replicas; called inside `strategy.run`, every replica gets the same sums."""
    context = tf.distribute.get_replica_context()
    if context.num_replicas_in_sync == 1:
        return list(values)
    return list(context.all_reduce(tf.distribute.ReduceOp.SUM, list(values)))


def clip_factor(norm: tf.Tensor, clip_norm: float | None) -> tf.Tensor:
    """What a gradient of this norm is multiplied by so that its norm is at most `clip_norm`; 1 without a limit.

    A norm that is not finite gives a factor that is not finite either, so that the damage stays visible.
    """
    if clip_norm is None:
        return tf.ones_like(norm)
    return clip_norm / tf.maximum(norm, clip_norm)
