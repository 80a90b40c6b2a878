"""A softmax over real positions only."""

from __future__ import annotations

import math

import tensorflow as tf


def masked_softmax(scores: tf.Tensor, mask: tf.Tensor) -> tf.Tensor:
    """Softmax over the last axis in float32; positions where `mask` is False get exactly 0.

    So do positions whose score is `-inf`, which rules them out. A row without any position left gives zeros, not NaN.

    Args:
        scores: `[..., positions]`.
        mask: bool, broadcasts against `scores`; True at real positions.

    Returns:
        float32 `[..., positions]`.
    """
    scores = tf.cast(scores, tf.float32)
    mask = tf.not_equal(scores, -math.inf) & mask
    weights = tf.nn.softmax(tf.where(mask, scores, tf.float32.min))
    return tf.where(mask, weights, 0.0)
