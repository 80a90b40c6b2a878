"""The decoder of RNNsearch and RNNencdec."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import keras
import tensorflow as tf

from tfnmt.layers.gated_unit import GatedUnit
from tfnmt.layers.initializers import fresh
from tfnmt.layers.products import Products
from tfnmt.layers.recurrence import Update
from tfnmt.layers.word_embedding import WordEmbedding
from tfnmt.models.decoder import group_by_sentence, ungroup
from tfnmt.models.memory import Memory
from tfnmt.models.recurrent_decoder import RecurrentDecoder
from tfnmt.text.vocabulary import START


class DecoderInputs(NamedTuple):
    """What the words alone decide, float32 `[..., n]`."""

    embedding: tf.Tensor  # E y
    projected: tf.Tensor  # W_* E y + b of the gated unit


class DecoderState(NamedTuple):
    """float32 `[rows, units]`, `[rows, annotation]` and int32 `[rows]`."""

    hidden: tf.Tensor  # s
    context: tf.Tensor  # the last context vector
    position: tf.Tensor  # number of the word to predict, from 0


@keras.saving.register_keras_serializable(package="tfnmt")
class BahdanauDecoder(RecurrentDecoder):
    """A gated unit that reads the previous word and a context vector (Bahdanau et al. 2015, appendix A.2.2)::

        s_0 = tanh(W_s h + b_s)                  h: the encoder's summary
        c_i = attention(s_{i-1}, annotations)
        s_i = gated unit over [E y, c_i]
        t_i = read-out(s, E y_{i-1}, c_i)

    `step_order` says which word and which state meet; the paper's text, its appendix and the authors' code differ:

    * `"groundhog"`, the released code: the state has read the previous word *before* attention looks at it,
      `s_{i-1} = f(s_{i-2}, y_{i-1}, c_{i-1})`, and the read-out sees that same state.
    * `"main-text"`, section 3.1 of the paper: `c_i` is computed from a state that has not read `y_{i-1}` yet,
      `s_i = f(s_{i-1}, y_{i-1}, c_i)`, and the read-out sees `s_i`.

    The vector of the start symbol is zero; in the `"groundhog"` order it never enters the state.

    Args:
        vocabulary_size: target words, control symbols included.
        embedding_size: `m`, size of a word vector.
        units: `n`, size of the state.
        attention: gives the context vector; `FixedContext()` makes RNNencdec of RNNsearch.
        readout: makes the features of the output, such as `MaxoutReadout(500)`.
        step_order: `"groundhog"` or `"main-text"`.
        embedding_dropout: share of the word vectors' components set to zero in training.
        kernel_initializer: draws word vectors and matrices (paper: N(0, 0.01^2)).
    """

    def __init__(
        self,
        vocabulary_size: int,
        embedding_size: int,
        units: int,
        attention: keras.layers.Layer,
        readout: keras.layers.Layer,
        step_order: str = "groundhog",
        embedding_dropout: float = 0.0,
        kernel_initializer: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if step_order not in STEP_ORDERS:
            raise ValueError(f"step_order must be one of {sorted(STEP_ORDERS)}, not {step_order!r}.")
        self.vocabulary_size = vocabulary_size
        self.embedding_size = embedding_size
        self.units = units
        self.attention = attention
        self.readout = readout
        self.step_order = step_order
        self.features_size = readout.features_size
        self.kernel_initializer = keras.initializers.get(
            kernel_initializer or keras.initializers.RandomNormal(stddev=0.01)
        )
        self.embedding = WordEmbedding(
            vocabulary_size,
            embedding_size,
            dropout=embedding_dropout,
            silent_symbols=(START,),
            initializer=fresh(self.kernel_initializer),
            dtype=self.dtype_policy,
            name="embedding",
        )
        self.unit = GatedUnit(
            units, kernel_initializer=fresh(self.kernel_initializer, 1), dtype=self.dtype_policy, name="unit"
        )

    def build(self, input_ids_shape: Any, memory_shape: Memory) -> None:
        states, annotations = (None, None, self.units), memory_shape.annotations
        self.annotation_size = annotations[-1]
        self.output_specs = (
            (tf.TensorSpec([None, self.units]), tf.TensorSpec([None, self.annotation_size])),
            tf.TensorSpec([None, None]),
        )
        self.build_part(self.embedding)
        self.build_part(self.unit, (None, self.embedding_size))
        self.build_part(self.attention, states, memory_shape.scored_annotations)
        self.build_part(self.readout, states, (None, None, self.embedding_size), annotations)
        # C_z, C_r and C side by side, like the unit's own kernel.
        self.context_kernel = self.add_weight(
            name="context_kernel",
            shape=(self.annotation_size, 3 * self.units),
            initializer=fresh(self.kernel_initializer, 2),
        )
        self.initial_kernel = self.add_weight(
            name="initial_kernel",
            shape=(memory_shape.summary[-1], self.units),
            initializer=fresh(self.kernel_initializer, 3),
        )
        self.initial_bias = self.add_weight(name="initial_bias", shape=(self.units,), initializer="zeros")
        self.built = True

    def prepare(self, memory: Memory) -> Memory:
        return memory._replace(keys=self.attention.keys(memory.scored_annotations))

    def initial_state(self, memory: Memory, hypotheses: int | tf.Tensor = 1) -> DecoderState:
        hidden = tf.tanh(self.product(memory.summary, self.initial_kernel) + tf.convert_to_tensor(self.initial_bias))
        rows = tf.shape(hidden)[0] * hypotheses
        return DecoderState(
            hidden=tf.repeat(hidden, hypotheses, axis=0),
            context=tf.zeros([rows, self.annotation_size]),
            position=tf.zeros([rows], tf.int32),
        )

    def inputs(self, ids: tf.Tensor, training: bool) -> DecoderInputs:
        embedding = self.embedding(ids, training=training)
        return DecoderInputs(
            embedding=embedding,
            projected=self.unit.project(embedding, read=STEP_ORDERS[self.step_order].reads(ids)),
        )

    def in_loop(self, memory: Memory, products: Products) -> Update:
        unit = self.unit.in_loop(products)
        attend = self.attention.in_loop(products, memory.annotations, memory.mask, memory.keys)
        context_product = products.by(self.context_kernel, self.compute_dtype)

        def read(inputs: DecoderInputs, hidden: tf.Tensor, context: tf.Tensor) -> tf.Tensor:
            """`f(s, y, c)`."""
            return unit(context_product(context, plus=inputs.projected), hidden)

        def look(hidden: tf.Tensor, position: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
            """`c` and the weights, seen from state `s`."""
            contexts, weights = attend(group_by_sentence(hidden, memory), group_by_sentence(position, memory))
            return ungroup(contexts), ungroup(weights)

        order = STEP_ORDERS[self.step_order].advance

        def advance(inputs: DecoderInputs, state: DecoderState) -> tuple[Any, DecoderState]:
            hidden, context, weights = order(inputs, state, read, look)
            return ((hidden, context), tf.stop_gradient(weights)), DecoderState(hidden, context, state.position + 1)

        return advance

    def features(self, inputs: DecoderInputs, outputs: tuple[tf.Tensor, tf.Tensor], training: bool) -> tf.Tensor:
        hidden, context = outputs
        return self.readout(hidden, inputs.embedding, context, training=training)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "vocabulary_size": self.vocabulary_size,
            "embedding_size": self.embedding_size,
            "units": self.units,
            "attention": keras.saving.serialize_keras_object(self.attention),
            "readout": keras.saving.serialize_keras_object(self.readout),
            "step_order": self.step_order,
            "embedding_dropout": self.embedding.dropout.rate,
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
        }

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> BahdanauDecoder:
        parts = {name: keras.saving.deserialize_keras_object(config[name]) for name in ("attention", "readout")}
        return cls(**{**config, **parts})


def _read_then_look(
    inputs: DecoderInputs, state: DecoderState, read: Callable[..., tf.Tensor], look: Callable[..., Any]
) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """The authors' code: `s_{i-1} = f(s_{i-2}, y_{i-1}, c_{i-1})`, then `c_i` from it."""
    hidden = read(inputs, state.hidden, state.context)
    context, weights = look(hidden, state.position)
    return hidden, context, weights


def _look_then_read(
    inputs: DecoderInputs, state: DecoderState, read: Callable[..., tf.Tensor], look: Callable[..., Any]
) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """Section 3.1: `c_i` from `s_{i-1}`, then `s_i = f(s_{i-1}, y_{i-1}, c_i)`."""
    context, weights = look(state.hidden, state.position)
    return read(inputs, state.hidden, context), context, weights


class StepOrder(NamedTuple):
    """How one step goes, and which of the words `ids` the state reads (None: all)."""

    advance: Callable[..., tuple[tf.Tensor, tf.Tensor, tf.Tensor]]
    reads: Callable[[tf.Tensor], tf.Tensor | None]


STEP_ORDERS = {
    "groundhog": StepOrder(_read_then_look, reads=lambda ids: tf.not_equal(ids, START)),
    "main-text": StepOrder(_look_then_read, reads=lambda ids: None),
}
