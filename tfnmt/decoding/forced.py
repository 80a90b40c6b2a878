"""Forced decoding: what a network makes of a translation that is given."""

from __future__ import annotations

from typing import Any, NamedTuple

import tensorflow as tf


class Forced(NamedTuple):
    """The given translations as the network sees them.

    Attributes:
        log_probabilities: float32 `[batch]`, summed over the words and the end symbol.
        word_log_probabilities: float32 `[batch, target + 1]`, of each of them; 0 at padding.
        weights: float32 `[batch, 1, target + 1, source]`, the attention weights of each step, as in `Hypotheses`; 0 at
            padding.
    """

    log_probabilities: tf.Tensor
    word_log_probabilities: tf.Tensor
    weights: tf.Tensor


def forced(network: Any, source_ids: tf.Tensor, target_ids: tf.Tensor) -> Forced:
    """Reads the given translations word by word, by the exact softmax, without dropout.

    Args:
        network: an `EncoderDecoder`, or what has its `token_negative_log_likelihoods`.
        source_ids: int32 `[batch, source]`, padded with 0.
        target_ids: int32 `[batch, target]`, padded with 0; the end symbol is added behind each row's last word.
    """
    costs, mask, weights = network.token_negative_log_likelihoods(source_ids, target_ids)
    real = tf.cast(mask, tf.float32)
    return Forced(
        log_probabilities=-tf.reduce_sum(costs * real, axis=1),
        word_log_probabilities=-costs * real,
        weights=(weights * real[:, :, tf.newaxis])[:, tf.newaxis],
    )
