"""The encoder of the Transformer."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.initializers import fresh
from tfnmt.layers.sinusoidal_positions import SinusoidalPositions
from tfnmt.layers.transformer_encoder_layer import TransformerEncoderLayer
from tfnmt.layers.word_embedding import WordEmbedding
from tfnmt.models.encoder import Encoder


@keras.saving.register_keras_serializable(package="tfnmt")
class TransformerEncoder(Encoder):
    """A stack of self-attention layers over word vectors and positions (Vaswani et al. 2017, section 3).

    Word vectors are multiplied by the root of their size (section 3.4). Nothing is read in order, so there is no
    summary: only a decoder that starts from nothing fits.

    Args:
        vocabulary_size: source words, control symbols included.
        units: `d_model`, size of word vectors and annotations.
        layers: `N`.
        heads: `h`.
        head_size: `d_k = d_v`.
        feed_forward_units: `d_ff`.
        dropout: share of each sub-layer's output, and of the sum of word vector and position, set to zero in training.
        kernel_initializer: draws all matrices but the word vectors (authors' code: Glorot uniform).
        append_end: whether the end symbol is read (authors' code: yes).
    """

    def __init__(
        self,
        vocabulary_size: int,
        units: int = 512,
        layers: int = 6,
        heads: int = 8,
        head_size: int = 64,
        feed_forward_units: int = 2048,
        dropout: float = 0.1,
        kernel_initializer: Any = None,
        append_end: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(append_end=append_end, **kwargs)
        self.vocabulary_size = vocabulary_size
        self.units = units
        self.heads = heads
        self.head_size = head_size
        self.feed_forward_units = feed_forward_units
        self.kernel_initializer = keras.initializers.get(kernel_initializer or keras.initializers.GlorotUniform())
        self.annotation_size = units
        self.summary_shape = ()
        self.embedding: Any = None  # the decoder's word vectors, or made when built
        self.positions = SinusoidalPositions(dtype=self.dtype_policy)
        self.dropout = keras.layers.Dropout(dropout, dtype="float32")
        self.stack = [
            TransformerEncoderLayer(
                heads,
                head_size,
                feed_forward_units,
                dropout,
                fresh(self.kernel_initializer, number),
                dtype=self.dtype_policy,
                name=f"layer_{number}",
            )
            for number in range(layers)
        ]

    def share(self, embedding: WordEmbedding) -> None:
        if (embedding.vocabulary_size, embedding.size) != (self.vocabulary_size, self.units):
            raise ValueError(
                f"The encoder has {self.vocabulary_size} words of size {self.units}, the embedding to share "
                f"{embedding.vocabulary_size} of size {embedding.size}. Both sides need one joint vocabulary."
            )
        self.embedding = embedding

    def build(self, input_shape: Any = None) -> None:
        if self.embedding is None:
            self.embedding = WordEmbedding(
                self.vocabulary_size,
                self.units,
                bias=False,
                initializer=keras.initializers.RandomNormal(stddev=self.units**-0.5),
                dtype=self.dtype_policy,
                name="embedding",
            )
        self.build_part(self.embedding)
        for layer in self.stack:
            self.build_part(layer, (None, None, self.units))
        self.built = True

    def encode(self, ids: tf.Tensor, mask: tf.Tensor, training: bool) -> tuple[tf.Tensor, Any]:
        states = self.positions(self.embedding(ids) * self.units**0.5)
        states = self.dropout(states, training=training)
        for layer in self.stack:
            states = layer(states, mask, training=training)
        return states, ()

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "vocabulary_size": self.vocabulary_size,
            "units": self.units,
            "layers": len(self.stack),
            "heads": self.heads,
            "head_size": self.head_size,
            "feed_forward_units": self.feed_forward_units,
            "dropout": self.dropout.rate,
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
        }
