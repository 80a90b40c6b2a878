"""The recurrent encoders of RNNencdec and RNNsearch."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.gated_unit import GatedUnit
from tfnmt.layers.initializers import fresh
from tfnmt.layers.products import Products
from tfnmt.layers.recurrence import Update, scan
from tfnmt.layers.word_embedding import WordEmbedding
from tfnmt.models.encoder import Encoder


class GatedEncoder(Encoder):
    """What both encoders of gated units share: word vectors, units, dropout.

    Args:
        vocabulary_size: source words, control symbols included.
        embedding_size: `m`, size of a word vector.
        units: `n`, size of a gated unit's state.
        embedding_dropout: share of the word vectors' components set to zero in training.
        annotation_dropout: share of the annotations' components set to zero in training.
        kernel_initializer: draws word vectors and input matrices (paper: N(0, 0.01^2)).
        append_end: whether the end symbol is read.
    """

    def __init__(
        self,
        vocabulary_size: int,
        embedding_size: int,
        units: int,
        embedding_dropout: float = 0.0,
        annotation_dropout: float = 0.0,
        kernel_initializer: Any = None,
        append_end: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(append_end=append_end, **kwargs)
        self.vocabulary_size = vocabulary_size
        self.embedding_size = embedding_size
        self.units = units
        self.kernel_initializer = keras.initializers.get(
            kernel_initializer or keras.initializers.RandomNormal(stddev=0.01)
        )
        self.embedding = WordEmbedding(
            vocabulary_size,
            embedding_size,
            dropout=embedding_dropout,
            initializer=fresh(self.kernel_initializer),
            dtype=self.dtype_policy,
            name="embedding",
        )
        self.annotation_dropout = keras.layers.Dropout(annotation_dropout, dtype="float32")

    def _unit(self, name: str, offset: int) -> GatedUnit:
        return GatedUnit(
            self.units,
            kernel_initializer=fresh(self.kernel_initializer, offset),
            dtype=self.dtype_policy,
            name=name,
        )

    def _states(self, unit: GatedUnit, vectors: tf.Tensor, mask: tf.Tensor, reverse: bool) -> tuple[Any, Any]:
        """States `[batch, source, units]` and the last one `[batch, units]`; padding keeps the state."""

        def in_loop(products: Products) -> Update:
            update = unit.in_loop(products)
            return lambda projected, state: (update(projected, state),) * 2  # each state is an output too

        return scan(
            in_loop,
            unit.project(vectors, read=mask),
            tf.zeros([tf.shape(mask)[0], self.units]),
            output_specs=tf.TensorSpec([None, self.units], tf.float32),
            reverse=reverse,
        )

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "vocabulary_size": self.vocabulary_size,
            "embedding_size": self.embedding_size,
            "units": self.units,
            "embedding_dropout": self.embedding.dropout.rate,
            "annotation_dropout": self.annotation_dropout.rate,
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
        }


@keras.saving.register_keras_serializable(package="tfnmt")
class UnidirectionalEncoder(GatedEncoder):
    """A forward RNN of gated units; the summary is its last state (RNNencdec; Cho et al. 2014)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.annotation_size = self.units
        self.summary_shape = (None, self.units)
        self.forward_unit = self._unit("forward_unit", offset=1)

    def build(self, input_shape: Any = None) -> None:
        self.build_part(self.embedding)
        self.build_part(self.forward_unit, (None, None, self.embedding_size))
        self.built = True

    def encode(self, ids: tf.Tensor, mask: tf.Tensor, training: bool) -> tuple[tf.Tensor, Any]:
        vectors = self.embedding(ids, training=training)
        states, last = self._states(self.forward_unit, vectors, mask, reverse=False)
        return self.annotation_dropout(states, training=training), last


@keras.saving.register_keras_serializable(package="tfnmt")
class BidirectionalEncoder(GatedEncoder):
    """Annotations `h_j = [forward h_j; backward h_j]` (Bahdanau et al. 2015, section 3.2 and appendix A.2.1).

    Both directions share the word vectors. The summary is the backward state at the *first* word, from which the
    decoder starts.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.annotation_size = 2 * self.units
        self.summary_shape = (None, self.units)
        self.forward_unit = self._unit("forward_unit", offset=1)
        self.backward_unit = self._unit("backward_unit", offset=2)

    def build(self, input_shape: Any = None) -> None:
        self.build_part(self.embedding)
        self.build_part(self.forward_unit, (None, None, self.embedding_size))
        self.build_part(self.backward_unit, (None, None, self.embedding_size))
        self.built = True

    def encode(self, ids: tf.Tensor, mask: tf.Tensor, training: bool) -> tuple[tf.Tensor, Any]:
        vectors = self.embedding(ids, training=training)
        forward, _ = self._states(self.forward_unit, vectors, mask, reverse=False)
        backward, first = self._states(self.backward_unit, vectors, mask, reverse=True)
        annotations = tf.concat([forward, backward], axis=-1)
        return self.annotation_dropout(annotations, training=training), first
