"""The decoder of the Transformer."""

from __future__ import annotations

from typing import Any, NamedTuple

import keras
import tensorflow as tf

from tfnmt.layers.initializers import fresh
from tfnmt.layers.multi_head_attention import HeadKeys
from tfnmt.layers.sinusoidal_positions import SinusoidalPositions
from tfnmt.layers.transformer_decoder_layer import TransformerDecoderLayer, so_far
from tfnmt.layers.word_embedding import WordEmbedding
from tfnmt.models.decoder import Decoder, group_by_sentence, ungroup
from tfnmt.models.memory import Memory
from tfnmt.text.vocabulary import START

_BLOCK = 8
"""Positions by which the caches of a search grow."""


class TransformerState(NamedTuple):
    """What is kept of the words so far: `[rows, heads, room, head size]` twice a layer, and int32 `[rows]`."""

    caches: tuple[HeadKeys, ...]  # keys and values of the words so far; zeros behind them
    number: tf.Tensor  # number of the word to predict, from 0


@keras.saving.register_keras_serializable(package="tfnmt")
class TransformerDecoder(Decoder):
    """A stack of layers that look back at the words so far and at the source (Vaswani et al. 2017, section 3).

    Word vectors are multiplied by the root of their size; that of the start symbol is zero (authors' code). In a
    search each layer keeps the keys and values of the words so far. These caches have room for a whole block of
    positions, so that most steps leave their shape alone, and get another block when it is full, so that no
    translation is too long. Keys and values of the source are made once a sentence, by `prepare`.

    The weights are the mean over the heads of one layer.

    Args:
        vocabulary_size: target words, control symbols included.
        units: `d_model`, size of word vectors and features, and of the encoder's annotations.
        layers: `N`.
        heads: `h`.
        head_size: `d_k = d_v`.
        feed_forward_units: `d_ff`.
        dropout: share of each sub-layer's output, and of the sum of word vector and position, set to zero in training.
        alignment_layer: the layer whose attention to the source aligns words, counted as in Python: -1 is the last.
        kernel_initializer: draws all matrices but the word vectors (authors' code: Glorot uniform).
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
        alignment_layer: int = -1,
        kernel_initializer: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if not -layers <= alignment_layer < layers:
            raise ValueError(f"There is no layer {alignment_layer} to align words by: there are {layers}.")
        self.vocabulary_size = vocabulary_size
        self.units = units
        self.features_size = units
        self.heads = heads
        self.head_size = head_size
        self.feed_forward_units = feed_forward_units
        self.alignment_layer = alignment_layer
        self.kernel_initializer = keras.initializers.get(kernel_initializer or keras.initializers.GlorotUniform())
        self.embedding = WordEmbedding(
            vocabulary_size,
            units,
            bias=False,
            silent_symbols=(START,),
            initializer=keras.initializers.RandomNormal(stddev=units**-0.5),
            dtype=self.dtype_policy,
            name="embedding",
        )
        self.positions = SinusoidalPositions(dtype=self.dtype_policy)
        self.dropout = keras.layers.Dropout(dropout, dtype="float32")
        self.stack = [
            TransformerDecoderLayer(
                heads,
                head_size,
                feed_forward_units,
                dropout,
                fresh(self.kernel_initializer, layers + number),
                dtype=self.dtype_policy,
                name=f"layer_{number}",
            )
            for number in range(layers)
        ]

    def build(self, input_ids_shape: Any, memory_shape: Memory) -> None:
        self.build_part(self.embedding)
        for layer in self.stack:
            self.build_part(layer, (None, None, self.units), memory_shape.annotations)
        self.built = True

    def prepare(self, memory: Memory) -> Memory:
        return memory._replace(keys=tuple(layer.source_attention.keys(memory.annotations) for layer in self.stack))

    def initial_state(self, memory: Memory, hypotheses: int | tf.Tensor = 1) -> TransformerState:
        rows = tf.shape(memory.mask)[0] * hypotheses
        empty = tf.zeros([rows, self.heads, _BLOCK, self.head_size], self.compute_dtype)
        return TransformerState(caches=((empty, empty),) * len(self.stack), number=tf.zeros([rows], tf.int32))

    def step(self, ids: tf.Tensor, state: TransformerState, memory: Memory) -> tuple[tf.Tensor, Any, tf.Tensor]:
        states = self.positions(self.embedding(ids) * self.units**0.5, state.number)
        more = tf.where(tf.reduce_max(state.number) >= tf.shape(state.caches[0][0])[2], _BLOCK, 0)
        caches = tf.nest.map_structure(lambda kept: tf.pad(kept, [[0, 0], [0, 0], [0, more], [0, 0]]), state.caches)
        positions = tf.range(tf.shape(caches[0][0])[2])
        seen = positions <= state.number[:, tf.newaxis]
        here = (positions == state.number[:, tf.newaxis])[:, tf.newaxis, :, tf.newaxis]
        grown, weights = [], []
        for layer, cache, keys in zip(self.stack, caches, memory.keys, strict=True):
            word = states[:, tf.newaxis]
            own = tuple(
                tf.where(here, new, kept) for kept, new in zip(cache, layer.self_attention.keys(word), strict=True)
            )
            looked_back = layer.look_back(word, own, seen[:, tf.newaxis])[:, 0]
            states, looked = layer.look_at_source(group_by_sentence(looked_back, memory), keys, memory.mask)
            states = ungroup(states)
            grown.append(own)
            weights.append(looked)
        # [batch, heads, hypotheses, source] -> [rows, source]
        aligned = ungroup(tf.reduce_mean(weights[self.alignment_layer], axis=1))
        return states, TransformerState(tuple(grown), state.number + 1), aligned

    def call(self, input_ids: tf.Tensor, memory: Memory, training: bool = False) -> tuple[tf.Tensor, tf.Tensor]:
        """Teacher forcing.

        Args:
            input_ids: int32 `[batch, target]`, the start symbol and the words.
            memory: prepared.

        Returns:
            Features `[batch, target, features]` and attention weights `[batch, target, source]`.
        """
        features, weights = self._read(input_ids, memory, training)
        return features, tf.stop_gradient(tf.reduce_mean(weights[self.alignment_layer], axis=1))

    def head_weights(self, input_ids: tf.Tensor, memory: Memory) -> tf.Tensor:
        """The attention of each head of each layer to the source: float32 `[batch, layers, heads, target, source]`.

        The arguments are those of `call`.
        """
        return tf.stack(self._read(input_ids, memory, training=False)[1], axis=1)

    def _read(self, input_ids: tf.Tensor, memory: Memory, training: bool) -> tuple[tf.Tensor, list[tf.Tensor]]:
        """The features, and each layer's weights `[batch, heads, target, source]`."""
        states = self.dropout(self.positions(self.embedding(input_ids) * self.units**0.5), training=training)
        mask = so_far(tf.shape(input_ids)[1])  # padding comes last, so no word looks at it
        weights = []
        for layer, keys in zip(self.stack, memory.keys, strict=True):
            states = layer.look_back(states, layer.self_attention.keys(states), mask, training)
            states, looked = layer.look_at_source(states, keys, memory.mask, training)
            weights.append(looked)
        return states, weights

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
            "alignment_layer": self.alignment_layer,
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
        }
