"""The gradient of a global batch: summed over the replicas, normalised, clipped by its global norm.

A gradient is a tensor, or the rows of one: TensorFlow gives `tf.IndexedSlices` for a table of which a batch touched
some rows (word embeddings, sampled output rows). Such rows stay rows all the way to the optimizer, so that a batch
costs the words it holds and not the vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import tensorflow as tf

Gradient: TypeAlias = tf.Tensor | tf.IndexedSlices


def dense(gradient: Gradient | None, like: tf.Variable) -> tf.Tensor:
    """The gradient as one dense tensor: repeated rows of an embedding summed, a missing gradient zero.

    Rows must be summed before the norm is taken: the norm of the parts is not the norm of their sum.
    """
    if gradient is None:
        return tf.zeros_like(like)
    return tf.convert_to_tensor(gradient)


def distinct_rows(gradient: tf.IndexedSlices) -> tf.IndexedSlices:
    """The same gradient with each row once, repeated rows summed; rows in the order of their first appearance."""
    rows, positions = tf.unique(gradient.indices)
    values = tf.math.unsorted_segment_sum(gradient.values, positions, tf.size(rows))
    return tf.IndexedSlices(values, rows, gradient.dense_shape)


def added(one: Gradient, other: Gradient) -> Gradient:
    """The sum of two gradients of one variable; of rows, the rows of both, each once."""
    if isinstance(one, tf.IndexedSlices) and isinstance(other, tf.IndexedSlices):
        values = tf.concat([one.values, other.values], axis=0)
        rows = tf.concat([one.indices, other.indices], axis=0)
        return distinct_rows(tf.IndexedSlices(values, rows, one.dense_shape))
    return tf.convert_to_tensor(one) + tf.convert_to_tensor(other)


def summed_over_replicas(values: Sequence[Gradient]) -> list[Gradient]:
    """The sums of the values over all replicas; called inside `strategy.run`, every replica gets the same sums.

    Rows of a table are gathered from all replicas, which need not have the same, and repeated ones summed.
    """
    context = tf.distribute.get_replica_context()
    if context.num_replicas_in_sync == 1:
        return list(values)
    whole = [value for value in values if not isinstance(value, tf.IndexedSlices)]
    sums = iter(context.all_reduce(tf.distribute.ReduceOp.SUM, whole))
    return [_gathered(value, context) if isinstance(value, tf.IndexedSlices) else next(sums) for value in values]


def _gathered(gradient: tf.IndexedSlices, context: tf.distribute.ReplicaContext) -> tf.IndexedSlices:
    values, rows = (context.all_gather(part, axis=0) for part in (gradient.values, gradient.indices))
    return distinct_rows(tf.IndexedSlices(values, rows, gradient.dense_shape))


def scaled(gradient: Gradient, factor: tf.Tensor) -> Gradient:
    """The gradient times a scalar."""
    if isinstance(gradient, tf.IndexedSlices):
        return tf.IndexedSlices(scaled(gradient.values, factor), gradient.indices, gradient.dense_shape)
    return tf.cast(factor, gradient.dtype) * gradient


def clip_factor(norm: tf.Tensor, clip_norm: float | None) -> tf.Tensor:
    """What a gradient of this norm is multiplied by so that its norm is at most `clip_norm`; 1 without a limit.

    A norm that is not finite gives a factor that is not finite either, so that the damage stays visible.
    """
    if clip_norm is None:
        return tf.ones_like(norm)
    return clip_norm / tf.maximum(norm, clip_norm)
