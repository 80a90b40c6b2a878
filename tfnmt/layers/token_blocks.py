"""Costs over a very large vocabulary, some tokens at a time: the logits of all would not fit into the memory."""

from __future__ import annotations

from collections.abc import Callable

import tensorflow as tf

LOGITS_AT_ONCE = 2**26


def in_blocks(
    cost: Callable[[tf.Tensor, tf.Tensor], tf.Tensor], features: tf.Tensor, labels: tf.Tensor, logits_a_token: int
) -> tf.Tensor:
    """What `cost` gives for all tokens, from as many at once as hold `LOGITS_AT_ONCE` logits.

    Args:
        cost: `[block, features]`, int32 `[block]` -> float32 `[block]`, of each token alone.
        features: `[tokens, features]`.
        labels: int32 `[tokens]`.
        logits_a_token: how many numbers a token costs, its vocabulary for instance.

    Returns:
        float32 `[tokens]`.
    """
    tokens = tf.shape(labels)[0]
    block = tf.clip_by_value(tokens, 1, max(1, LOGITS_AT_ONCE // logits_a_token))
    missing = tf.where(tokens > 0, -tokens % block, 1)  # a block at least: a loop over none has no shape
    blocks = (
        tf.reshape(tf.pad(features, [[0, missing], [0, 0]]), tf.stack([-1, block, features.shape[1]])),
        tf.reshape(tf.pad(labels, [[0, missing]]), [-1, block]),
    )
    costs = tf.map_fn(
        lambda part: cost(*part), blocks, fn_output_signature=tf.TensorSpec([None], tf.float32), parallel_iterations=1
    )
    return tf.reshape(costs, [-1])[:tokens]
