"""What a label costs under a softmax."""

from __future__ import annotations

from collections.abc import Callable

import tensorflow as tf


def cross_entropy(logits: tf.Tensor, labels: tf.Tensor, smoothing: float = 0.0) -> tf.Tensor:
    """`-sum_k q_k log p_k` with `p = softmax(logits)`, where q is the label's distribution.

    `q` is 1 at the label; smoothed, it is `1 - smoothing` there and the rest is shared by the other words evenly
    (Vaswani et al. 2017, section 5.4; formula of the authors' code).

    The gradient `p - q` is written out: TensorFlow's kernel for one label works out both exponentials of each word one
    by one, and takes about three times as long on a CPU.

    Args:
        logits: float32 `[tokens, words]`.
        labels: int32 `[tokens]`, below `words`.
        smoothing: share of the probability that the other words get.

    Returns:
        float32 `[tokens]`.
    """
    words = tf.shape(logits)[1]
    other = smoothing / tf.maximum(tf.cast(words, tf.float32) - 1.0, 1.0)

    @tf.custom_gradient
    def costs(logits: tf.Tensor) -> tuple[tf.Tensor, Callable[[tf.Tensor], tf.Tensor]]:
        probabilities = tf.nn.softmax(logits)

        def gradient(upstream: tf.Tensor) -> tf.Tensor:
            # One pass over all words, then the labels alone: q = other + (1 - smoothing - other) at the label.
            places = tf.stack([tf.range(tf.shape(labels)[0]), labels], axis=1)
            others = (probabilities - other if smoothing else probabilities) * upstream[:, tf.newaxis]
            return tf.tensor_scatter_nd_sub(others, places, (1.0 - smoothing - other) * upstream)

        # Distances to the greatest logit, so that a cost near 0 keeps its digits.
        greatest, negative_log = _peaks(logits, probabilities)
        distance = (1.0 - smoothing - other) * (greatest - tf.gather(logits, labels, batch_dims=1))
        if smoothing:
            distance += other * (tf.cast(words, tf.float32) * greatest - tf.reduce_sum(logits, axis=1))
        return negative_log + distance, gradient

    return costs(logits)


def log_normalizers(logits: tf.Tensor) -> tf.Tensor:
    """`log sum exp` of each row: `[..., vocabulary] -> [...]`."""
    greatest, negative_log = _peaks(logits, tf.nn.softmax(logits))
    return greatest + negative_log


def _peaks(logits: tf.Tensor, probabilities: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Of each row the greatest logit, and `-log p` of its word, which is `log sum exp(logit - greatest logit)`.

    TensorFlow's softmax takes a third of the time of `tf.reduce_logsumexp`.
    """
    return tf.reduce_max(logits, axis=-1), -tf.math.log(tf.reduce_max(probabilities, axis=-1))
