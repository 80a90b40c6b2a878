"""By what the summed loss of a batch is divided before the gradient is clipped and applied."""

from __future__ import annotations

from enum import StrEnum

import tensorflow as tf


class LossNormalization(StrEnum):
    """The scale of the loss that the optimizer sees.

    `SUM` is the loss of Bahdanau et al. (2015): the sum over all words of the batch, so that clipping at norm 1 is
    active in nearly every update. `SENTENCE` divides it by the sentences of the batch, as Luong et al. (2015) do,
    `TOKEN` by its target tokens (words and end symbols). The count is that of the global batch, whatever the number of
    replicas.
    """

    SUM = "sum"
    SENTENCE = "sentence"
    TOKEN = "token"

    def divisor(self, sentences: tf.Tensor, tokens: tf.Tensor) -> tf.Tensor:
        """What the sum is divided by, a float32 scalar of at least 1.

        Args:
            sentences: float32 scalar, the sentences of the global batch.
            tokens: float32 scalar, its target tokens with one end symbol a sentence.
        """
        counts = {
            LossNormalization.SUM: tf.ones_like(tokens),
            LossNormalization.SENTENCE: sentences,
            LossNormalization.TOKEN: tokens,
        }
        return tf.maximum(counts[self], 1.0)
