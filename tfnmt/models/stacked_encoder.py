"""The encoder of Luong et al."""

from __future__ import annotations

import functools
from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.initializers import fresh
from tfnmt.layers.lstm_stack import lstm_stack, with_sizes_read
from tfnmt.layers.lstm_unit import LSTMUnit
from tfnmt.layers.products import Products
from tfnmt.layers.recurrence import Update, keep_at_padding, scan
from tfnmt.layers.word_embedding import WordEmbedding
from tfnmt.models.encoder import Encoder


@keras.saving.register_keras_serializable(package="tfnmt")
class StackedLSTMEncoder(Encoder):
    """A unidirectional stack of LSTM layers (Luong et al. 2015, sections 2 and 4).

    The annotations are the top layer's states; the summary is the last output and cell of every layer, from which the
    decoder's layers start. With `reverse_source` the words are read from the last to the first; annotations are still
    given in the words' own order, so that windows and alignments need not know.

    Args:
        vocabulary_size: source words, control symbols included.
        embedding_size: size of a word vector.
        units: size of each layer.
        layers: number of layers.
        reverse_source: whether the words are read backwards.
        dropout: share of each layer's *inputs* set to zero in training (Zaremba et al. 2015).
        kernel_initializer: draws all weights (paper: uniform in [-0.1, 0.1]).
        append_end: whether the end symbol is read (authors' code: no).
    """

    def __init__(
        self,
        vocabulary_size: int,
        embedding_size: int,
        units: int,
        layers: int = 4,
        reverse_source: bool = True,
        dropout: float = 0.0,
        kernel_initializer: Any = None,
        append_end: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(append_end=append_end, **kwargs)
        self.vocabulary_size = vocabulary_size
        self.embedding_size = embedding_size
        self.units = units
        self.reverse_source = reverse_source
        self.kernel_initializer = keras.initializers.get(
            kernel_initializer or keras.initializers.RandomUniform(-0.1, 0.1)
        )
        self.annotation_size = units
        self.summary_shape = tuple(((None, units), (None, units)) for _ in range(layers))
        self.embedding = WordEmbedding(
            vocabulary_size,
            embedding_size,
            bias=False,
            initializer=fresh(self.kernel_initializer),
            dtype=self.dtype_policy,
            name="embedding",
        )
        self.dropout = keras.layers.Dropout(dropout, dtype="float32")
        self.units_by_layer = lstm_stack(layers, units, self.kernel_initializer, self.dtype_policy)

    def build(self, input_shape: Any = None) -> None:
        self.build_part(self.embedding)
        for unit, size in with_sizes_read(self.units_by_layer, self.embedding_size):
            self.build_part(unit, (None, None, size))
        self.built = True

    def encode(self, ids: tf.Tensor, mask: tf.Tensor, training: bool) -> tuple[tf.Tensor, Any]:
        lengths = tf.reduce_sum(tf.cast(mask, tf.int32), axis=-1)
        states = self.embedding(tf.reverse_sequence(ids, lengths, seq_axis=1) if self.reverse_source else ids)
        zeros = tf.zeros([tf.shape(mask)[0], self.units])
        summary = []
        for unit in self.units_by_layer:
            states, last = scan(
                functools.partial(_outputs_of, unit),
                (unit.project(self.dropout(states, training=training)), mask[..., tf.newaxis]),
                (zeros, zeros),
                output_specs=tf.TensorSpec([None, self.units]),
            )
            summary.append(last)
        annotations = tf.reverse_sequence(states, lengths, seq_axis=1) if self.reverse_source else states
        return annotations, tuple(summary)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "vocabulary_size": self.vocabulary_size,
            "embedding_size": self.embedding_size,
            "units": self.units,
            "layers": len(self.units_by_layer),
            "reverse_source": self.reverse_source,
            "dropout": self.dropout.rate,
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
        }


def _outputs_of(unit: LSTMUnit, products: Products) -> Update:
    """The unit's update, whose output `h` goes up the stack; padding keeps the state."""
    return keep_at_padding(unit.in_loop(products), output=lambda state: state[0])
