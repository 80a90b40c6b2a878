"""The base of the encoders that see all words at once: vectors of words and of positions."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.initializers import fresh
from tfnmt.layers.learned_positions import LearnedPositions
from tfnmt.layers.word_embedding import WordEmbedding
from tfnmt.models.encoder import Encoder


class PositionedEncoder(Encoder):
    """What the encoders of Gehring et al. (2016) share: `e_j = w_j + l_j`, vectors of words and positions, and dropout.

    Nothing is read in order, so there is no summary: only a decoder that starts from nothing fits.

    Args:
        vocabulary_size: source words, control symbols included.
        embedding_size: size of a word vector.
        positions: positions that have a vector of their own; those beyond have the last one's.
        embedding_dropout: share of the vectors' components set to zero in training.
        kernel_initializer: draws vectors and linear maps (paper: uniform in [-0.05, 0.05]).
        append_end: whether the end symbol is read.
    """

    def __init__(
        self,
        vocabulary_size: int,
        embedding_size: int = 256,
        positions: int = 1024,
        embedding_dropout: float = 0.0,
        kernel_initializer: Any = None,
        append_end: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(append_end=append_end, **kwargs)
        self.vocabulary_size = vocabulary_size
        self.embedding_size = embedding_size
        self.annotation_size = embedding_size
        self.summary_shape = ()
        self.kernel_initializer = keras.initializers.get(
            kernel_initializer or keras.initializers.RandomUniform(-0.05, 0.05)
        )
        self.embedding = WordEmbedding(
            vocabulary_size,
            embedding_size,
            bias=False,
            initializer=fresh(self.kernel_initializer),
            dtype=self.dtype_policy,
            name="embedding",
        )
        self.positions = LearnedPositions(
            positions, fresh(self.kernel_initializer, 1), dtype=self.dtype_policy, name="positions"
        )
        self.embedding_dropout = keras.layers.Dropout(embedding_dropout, dtype="float32")

    def build(self, input_shape: Any = None) -> None:
        self.build_part(self.embedding)
        self.build_part(self.positions, (None, None, self.embedding_size))
        self.built = True

    def vectors(self, ids: tf.Tensor, training: bool) -> tf.Tensor:
        """`e_j`: `[batch, source] -> [batch, source, embedding]`."""
        return self.embedding_dropout(self.positions(self.embedding(ids)), training=training)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "vocabulary_size": self.vocabulary_size,
            "embedding_size": self.embedding_size,
            "positions": self.positions.positions,
            "embedding_dropout": self.embedding_dropout.rate,
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
        }
