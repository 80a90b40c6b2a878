"""What may lead a search beside the network's own probabilities: small objects, applied one after the other.

Each of them maps the logits of the next word to logits. A search takes the softmax's normaliser *before* it steers, so
that steering decides what is chosen and never what a hypothesis scores: a score always equals re-scoring.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import keras
import tensorflow as tf

from tfnmt.text.vocabulary import END, PAD


class Progress(NamedTuple):
    """Where the live hypotheses of a search stand. `rows` = sentences * hypotheses.

    Attributes:
        length: int32 scalar, words of each of them.
        words: int32 `[rows]`, the last word of each (START at length 0).
        sources: int32 `[rows]`, words of its source sentence.
        sentences: int32 `[rows]`, the row of its sentence in the batch.
    """

    length: tf.Tensor
    words: tf.Tensor
    sources: tf.Tensor
    sentences: tf.Tensor


class Steering:
    """The base of all steering."""

    def steer(self, logits: tf.Tensor, progress: Progress) -> tf.Tensor:
        """float32 `[rows, vocabulary]` -> the same; -inf forbids a word."""
        raise NotImplementedError(f"{type(self).__name__} must implement steer().")

    def get_config(self) -> dict[str, Any]:
        raise NotImplementedError(f"{type(self).__name__} must implement get_config().")

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Steering:
        return cls(**config)


@keras.saving.register_keras_serializable(package="tfnmt")
class ForbiddenSymbols(Steering):
    """Symbols that are never produced.

    Args:
        symbols: their ids, distinct.
    """

    def __init__(self, symbols: Sequence[int]) -> None:
        self.symbols = tuple(symbols)

    def steer(self, logits: tf.Tensor, progress: Progress) -> tf.Tensor:
        rows = tf.shape(logits)[0]
        symbols = tf.tile(tf.constant(self.symbols, tf.int32), [rows])
        return _forbid(logits, tf.repeat(tf.range(rows), len(self.symbols)), symbols)

    def get_config(self) -> dict[str, Any]:
        return {"symbols": list(self.symbols)}


@keras.saving.register_keras_serializable(package="tfnmt")
class MinimumLength(Steering):
    """No end before `ceil(factor * source words)` target words, the end symbol counted on neither side.

    At 0.5 that is the `floor(T_x / 2)` of the code of Bahdanau et al., Luong et al. and Jean et al., whose `T_x` counts
    the end symbol.

    Args:
        factor: target words a source word, at least 0.

    Raises:
        ValueError: the factor is negative.
    """

    def __init__(self, factor: float) -> None:
        if not factor >= 0:
            raise ValueError(f"The minimum length needs a factor of 0 or more, not {factor}.")
        self.factor = float(factor)

    def steer(self, logits: tf.Tensor, progress: Progress) -> tf.Tensor:
        least = tf.cast(tf.math.ceil(self.factor * tf.cast(progress.sources, tf.float32)), tf.int32)
        rows = tf.cast(tf.where(progress.length < least)[:, 0], tf.int32)
        return _forbid(logits, rows, tf.fill(tf.shape(rows), END))

    def get_config(self) -> dict[str, Any]:
        return {"factor": self.factor}


class ForcedPrefix(Steering):
    """Every hypothesis begins with the words that are given for its sentence.

    Args:
        prefix_ids: int32 `[batch, prefix]`, padded with 0 on the right; the end symbol as last word leaves nothing to
            search.
    """

    def __init__(self, prefix_ids: tf.Tensor) -> None:
        self.prefix_ids = prefix_ids

    def steer(self, logits: tf.Tensor, progress: Progress) -> tf.Tensor:
        place = tf.minimum(progress.length, tf.shape(self.prefix_ids)[1])
        padded = tf.pad(self.prefix_ids, [[0, 0], [0, 1]], constant_values=PAD)  # behind the prefix, anything may come
        words = tf.gather(padded[:, place], progress.sentences)[:, tf.newaxis]
        allowed = (words == PAD) | (words == tf.range(tf.shape(logits)[1])[tf.newaxis])
        return tf.where(allowed, logits, -float("inf"))


def _forbid(logits: tf.Tensor, rows: tf.Tensor, symbols: tf.Tensor) -> tf.Tensor:
    """Sets single entries to -inf; cheaper than a mask over the whole vocabulary."""
    return tf.tensor_scatter_nd_update(
        logits, tf.stack([rows, symbols], axis=1), tf.fill(tf.shape(rows), -float("inf"))
    )
