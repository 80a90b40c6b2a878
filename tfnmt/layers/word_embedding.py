"""Word vectors."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.product_layer import ProductLayer


@keras.saving.register_keras_serializable(package="tfnmt")
class WordEmbedding(ProductLayer):
    """A table of word vectors, one row a word, with an optional bias vector and dropout.

    The bias is one vector shared by all words (a "bias on the embedding table" in the authors' GroundHog code, which
    systems of Bahdanau et al. 2015 and Jean et al. 2015 use).

    Args:
        vocabulary_size: rows, control symbols included.
        size: length of a vector.
        bias: whether to add the shared bias vector.
        dropout: share of the components set to zero in training.
        silent_symbols: ids whose embedding is the zero vector, bias included (the start symbol, for a decoder that
            reads nothing before its first word).
        initializer: draws the table (paper: N(0, 0.01^2)).

    Call arguments:
        ids: int32 `[...]`.

    Returns:
        float32 `[..., size]`.
    """

    def __init__(
        self,
        vocabulary_size: int,
        size: int,
        bias: bool = True,
        dropout: float = 0.0,
        silent_symbols: tuple[int, ...] = (),
        initializer: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.vocabulary_size = vocabulary_size
        self.size = size
        self.has_bias = bias
        self.silent_symbols = tuple(silent_symbols)
        self.initializer = keras.initializers.get(initializer or keras.initializers.RandomNormal(stddev=0.01))
        self.dropout = keras.layers.Dropout(dropout, dtype="float32")
        self.is_read_whole = False

    def build(self, input_shape: Any = None) -> None:
        self.table = self.add_weight(
            name="table", shape=(self.vocabulary_size, self.size), initializer=self.initializer
        )
        if self.has_bias:
            self.bias = self.add_weight(name="bias", shape=(self.size,), initializer="zeros")
        self.built = True

    def call(self, ids: tf.Tensor, training: bool = False) -> tf.Tensor:
        # Once rows of a variable are gathered or updated alone, TensorFlow copies it whole at each reading: so a table
        # is gathered from and never read, or, where an output multiplies by it, always read.
        vectors = tf.gather(tf.convert_to_tensor(self.table) if self.is_read_whole else self.table.value, ids)
        if self.has_bias:
            vectors += tf.convert_to_tensor(self.bias)
        vectors = self.dropout(vectors, training=training)
        for symbol in self.silent_symbols:
            vectors = tf.where(tf.equal(ids, symbol)[..., tf.newaxis], 0.0, vectors)
        return vectors

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "vocabulary_size": self.vocabulary_size,
            "size": self.size,
            "bias": self.has_bias,
            "dropout": self.dropout.rate,
            "silent_symbols": self.silent_symbols,
            "initializer": keras.initializers.serialize(self.initializer),
        }
