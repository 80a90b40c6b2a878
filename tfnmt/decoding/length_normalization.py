"""How log-probabilities of hypotheses of different lengths are compared."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf


@keras.saving.register_keras_serializable(package="tfnmt")
class LengthNormalization:
    """`score = log_probability / length ** exponent`, the end symbol counted in the length.

    Exponent 1 is the mean log-probability a word (Jean et al. 2015), exponent 0 the plain sum (Bahdanau et al. 2015,
    Luong et al. 2015).

    Args:
        exponent: at least 0.

    Raises:
        ValueError: the exponent is negative, so that longer hypotheses would be punished twice and no bound exists.
    """

    def __init__(self, exponent: float = 1.0) -> None:
        if not exponent >= 0:
            raise ValueError(f"The exponent of the length normalisation must be 0 or more, not {exponent}.")
        self.exponent = float(exponent)

    @staticmethod
    def get(rule: float | dict[str, Any] | LengthNormalization) -> LengthNormalization:
        """The rule itself, one from its serialised form, or the plain one of an exponent."""
        if isinstance(rule, LengthNormalization):
            return rule
        return keras.saving.deserialize_keras_object(rule) if isinstance(rule, dict) else LengthNormalization(rule)

    def score(self, log_probabilities: tf.Tensor, lengths: tf.Tensor) -> tf.Tensor:
        """float32 log-probabilities and int32 lengths (0 counts as 1), broadcast together."""
        return log_probabilities / self.counted(tf.cast(tf.maximum(lengths, 1), tf.float32)) ** self.exponent

    def counted(self, lengths: tf.Tensor) -> tf.Tensor:
        """What the exponent is applied to: it grows with the length."""
        return lengths

    def bound(self, log_probabilities: tf.Tensor, longest: tf.Tensor) -> tf.Tensor:
        """The highest score a hypothesis may still reach when it may grow to the length `longest`.

        A log-probability only falls as words are added, and the divisor is largest at the longest length.
        """
        return self.score(log_probabilities, longest)

    def get_config(self) -> dict[str, Any]:
        return {"exponent": self.exponent}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> LengthNormalization:
        return cls(**config)


@keras.saving.register_keras_serializable(package="tfnmt")
class GNMTLengthNormalization(LengthNormalization):
    """`score = log_probability / ((5 + length) / 6) ** exponent`, the end symbol counted in the length.

    The length penalty of Wu et al. (2016), equation 14, without its coverage; Vaswani et al. (2017) use it with the
    exponent 0.6. It favours long hypotheses less than the plain length does: of 1 word it makes 1, of 7 words 2.
    """

    def counted(self, lengths: tf.Tensor) -> tf.Tensor:
        return (5.0 + lengths) / 6.0
