"""How several networks' opinions of the next word become one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.cross_entropy import log_normalizers


class Combination:
    """The base of the ways: a subclass implements `logits`, and `log_normalizers` where they are known."""

    def logits(self, members: Sequence[tf.Tensor]) -> tf.Tensor:
        """The logits of every network, each float32 `[..., vocabulary]` -> one such tensor."""
        raise NotImplementedError(f"{type(self).__name__} must implement logits().")

    def log_normalizers(self, logits: tf.Tensor) -> tf.Tensor:
        """What to subtract from a row of `logits` for the score of a word: `[..., vocabulary] -> [...]`."""
        raise NotImplementedError(f"{type(self).__name__} must implement log_normalizers().")

    def get_config(self) -> dict[str, Any]:
        return {}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Combination:
        return cls(**config)


@keras.saving.register_keras_serializable(package="tfnmt")
class MeanOfLogits(Combination):
    """`p(y) = softmax(mean of the logits)`, the geometric mean of the probabilities made to sum to 1.

    (Code of Luong et al. 2015.)
    """

    def logits(self, members: Sequence[tf.Tensor]) -> tf.Tensor:
        return mean(members)

    def log_normalizers(self, logits: tf.Tensor) -> tf.Tensor:
        return log_normalizers(logits)


@keras.saving.register_keras_serializable(package="tfnmt")
class MeanOfLogProbabilities(Combination):
    """`score(y) = mean of log p(y)`, the geometric mean of the probabilities as it is (code of Jean et al. 2015).

    It sums to 1 only where all networks agree, and to less the more they differ. So words rank as by `MeanOfLogits`,
    but whole hypotheses may not: disagreement on the way costs them.
    """

    def logits(self, members: Sequence[tf.Tensor]) -> tf.Tensor:
        return mean([tf.nn.log_softmax(logits) for logits in members])

    def log_normalizers(self, logits: tf.Tensor) -> tf.Tensor:
        return tf.zeros(tf.shape(logits)[:-1])


@keras.saving.register_keras_serializable(package="tfnmt")
class MeanOfProbabilities(Combination):
    """`p(y) = mean of p(y)`: a word needs one network that believes in it."""

    def logits(self, members: Sequence[tf.Tensor]) -> tf.Tensor:
        stacked = tf.stack([tf.nn.log_softmax(logits) for logits in members])
        return tf.reduce_logsumexp(stacked, axis=0) - tf.math.log(float(len(members)))

    def log_normalizers(self, logits: tf.Tensor) -> tf.Tensor:
        return tf.zeros(tf.shape(logits)[:-1])


def mean(tensors: Sequence[tf.Tensor]) -> tf.Tensor:
    """The mean of tensors of one shape."""
    return tf.add_n(list(tensors)) / len(tensors)
