"""The base of the decoders of LSTM layers."""

from __future__ import annotations

from typing import Any, Self

import keras
import tensorflow as tf

from tfnmt.layers.attention import Attention
from tfnmt.layers.initializers import fresh
from tfnmt.layers.lstm_stack import lstm_stack, with_sizes_read
from tfnmt.layers.word_embedding import WordEmbedding
from tfnmt.models.memory import Memory
from tfnmt.models.recurrent_decoder import RecurrentDecoder


class StackedDecoder(RecurrentDecoder):
    """Word vectors, a stack of LSTM layers over them, and an attention to the source; a subclass says what meets what.

    Args:
        vocabulary_size: target words, control symbols included.
        embedding_size: size of a word vector.
        units: size of each layer.
        layers: number of layers.
        attention: any score in any window, or None for a decoder without.
        kernel_initializer: draws word vectors and matrices.

    A subclass sets `embedding` to what `word_vectors` makes.
    """

    embedding: WordEmbedding

    def __init__(
        self,
        vocabulary_size: int,
        embedding_size: int,
        units: int,
        layers: int,
        attention: Attention | None,
        kernel_initializer: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.vocabulary_size = vocabulary_size
        self.embedding_size = embedding_size
        self.units = units
        self.attention = attention
        self.kernel_initializer = keras.initializers.get(kernel_initializer)
        self.units_by_layer = lstm_stack(layers, units, self.kernel_initializer, self.dtype_policy)
        self.output_specs = (tf.TensorSpec([None, units]), tf.TensorSpec([None, None]))

    def word_vectors(self, dropout: float = 0.0) -> WordEmbedding:
        """The vectors of the target words; `dropout` is the share of their components set to zero in training."""
        return WordEmbedding(
            self.vocabulary_size,
            self.embedding_size,
            bias=False,
            dropout=dropout,
            initializer=fresh(self.kernel_initializer),
            dtype=self.dtype_policy,
            name="embedding",
        )

    def build_stack(self) -> None:
        """Builds word vectors and layers; the first layer reads a word vector, the others the layer below."""
        self.build_part(self.embedding)
        for unit, size in with_sizes_read(self.units_by_layer, self.embedding_size):
            self.build_part(unit, (None, None, size))

    def prepare(self, memory: Memory) -> Memory:
        if self.attention is None:
            return memory
        return memory._replace(keys=self.attention.keys(memory.scored_annotations))

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "vocabulary_size": self.vocabulary_size,
            "embedding_size": self.embedding_size,
            "units": self.units,
            "layers": len(self.units_by_layer),
            "attention": keras.saving.serialize_keras_object(self.attention),
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
        }

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        return cls(**{**config, "attention": keras.saving.deserialize_keras_object(config["attention"])})
