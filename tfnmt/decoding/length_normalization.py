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

    def score(self, log_probabilities: tf.Tensor, lengths: tf.Tensor) -> tf.Tensor:
        """float32 log-probabilities and int32 lengths (0 counts as 1), broadcast together."""
        return log_probabilities / tf.cast(tf.maximum(lengths, 1), tf.float32) ** self.exponent

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
