"""How long a translation may grow."""

from __future__ import annotations

import math
from typing import Any

import keras
import tensorflow as tf


@keras.saving.register_keras_serializable(package="tfnmt")
class MaximumLength:
    """At most `ceil(factor * source words) + constant` target words, the end symbol counted on neither side.

    A bound must grow with the source: an unrelated constant would cut long sentences.

    Args:
        factor: target words a source word, at least 0.
        constant: words on top, at least 0.

    Raises:
        ValueError: one of them is negative, or both are 0.
    """

    def __init__(self, factor: float, constant: int) -> None:
        if not (math.isfinite(factor) and factor >= 0 and constant >= 0 and factor + constant > 0):
            raise ValueError(
                "The maximum length needs a factor and a constant of 0 or more, not both 0; "
                f"got {factor} and {constant}."
            )
        self.factor = float(factor)
        self.constant = int(constant)

    def words(self, sources: tf.Tensor) -> tf.Tensor:
        """int32 source words `[batch]` -> int32 `[batch]`."""
        return tf.cast(tf.math.ceil(self.factor * tf.cast(sources, tf.float32)), tf.int32) + self.constant

    def get_config(self) -> dict[str, Any]:
        return {"factor": self.factor, "constant": self.constant}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> MaximumLength:
        return cls(**config)
