"""The decoder of Luong et al."""

from __future__ import annotations

from typing import Any, NamedTuple

import keras
import tensorflow as tf

from tfnmt.layers.attention import Attention
from tfnmt.layers.initializers import fresh
from tfnmt.layers.lstm_stack import stack_in_loop
from tfnmt.layers.lstm_unit import LSTMState
from tfnmt.layers.products import Products
from tfnmt.layers.recurrence import Update
from tfnmt.models.decoder import group_by_sentence, ungroup
from tfnmt.models.memory import Memory
from tfnmt.models.stacked_decoder import StackedDecoder


class LuongInputs(NamedTuple):
    """What does not depend on the recurrence, float32 `[..., n]`."""

    projected: tf.Tensor  # what the word adds to the first layer's gates
    masks: tuple[tf.Tensor, ...]  # dropout of what each layer reads from inside the loop; none in inference


class LuongState(NamedTuple):
    """The state of the stack, float32 `[rows, units]`, and int32 `[rows]`."""

    layers: tuple[LSTMState, ...]
    attentional: tf.Tensor  # the last attentional state, zero before the first word
    number: tf.Tensor  # number of the word to predict, from 0


@keras.saving.register_keras_serializable(package="tfnmt")
class LuongDecoder(StackedDecoder):
    """A stack of LSTM layers, then attention, then the attentional state (Luong et al. 2015, sections 3 and 4)::

        h_t  = top of the stack over [E y_{t-1}; h~_{t-1}]      (with input feeding; over E y_{t-1} without)
        c_t  = attention(h_t, annotations)
        h~_t = tanh(W_c [c_t; h_t])                             the features; without attention h~_t = h_t

    The layers start from the encoder's last states.

    Args:
        vocabulary_size: target words, control symbols included.
        embedding_size: size of a word vector.
        units: size of each layer and of the attentional state.
        layers: number of layers, as many as the encoder has.
        attention: any score in any window, or None for the base system without attention.
        input_feeding: whether the first layer reads the previous attentional state too (section 3.3).
        dropout: share of each layer's *inputs* set to zero in training, the fed state included (Zaremba et al. 2015).
        kernel_initializer: draws all weights (paper: uniform in [-0.1, 0.1]).

    Raises:
        ValueError: when built for an encoder of another number of layers or another size.
    """

    def __init__(
        self,
        vocabulary_size: int,
        embedding_size: int,
        units: int,
        layers: int = 4,
        attention: Attention | None = None,
        input_feeding: bool = False,
        dropout: float = 0.0,
        kernel_initializer: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            vocabulary_size,
            embedding_size,
            units,
            layers,
            attention,
            kernel_initializer or keras.initializers.RandomUniform(-0.1, 0.1),
            **kwargs,
        )
        self.embedding = self.word_vectors()
        self.features_size = units
        self.input_feeding = input_feeding
        # Weights of a content score belong to the word that was read (footnote 14).
        self.alignment_shift = int(attention is not None and attention.from_content)
        self.dropout = keras.layers.Dropout(dropout, dtype="float32")

    def build(self, input_ids_shape: Any, memory_shape: Memory) -> None:
        expected = tuple(((None, self.units), (None, self.units)) for _ in self.units_by_layer)
        if memory_shape.summary != expected:
            raise ValueError(
                f"The decoder's {len(self.units_by_layer)} layers of {self.units} units start from the encoder's: the "
                f"encoder must be a stack of as many layers of the same size; its summary is {memory_shape.summary}."
            )
        self.build_stack()
        if self.input_feeding:
            self.feeding_kernel = self.add_weight(
                name="feeding_kernel",
                shape=(self.units, 4 * self.units),
                initializer=fresh(self.kernel_initializer, -1),
            )
        if self.attention is not None:
            self.build_part(self.attention, (None, None, self.units), memory_shape.scored_annotations)
            # The halves of W_c that meet the context vector and the state.
            self.context_kernel, self.state_kernel = (
                self.add_weight(name=name, shape=(size, self.units), initializer=fresh(self.kernel_initializer, place))
                for name, size, place in (
                    ("context_kernel", memory_shape.annotations[-1], -2),
                    ("state_kernel", self.units, -3),
                )
            )
        self.built = True

    def initial_state(self, memory: Memory, hypotheses: int | tf.Tensor = 1) -> LuongState:
        layers = tf.nest.map_structure(lambda state: tf.repeat(state, hypotheses, axis=0), memory.summary)
        rows = tf.shape(layers[0][0])[0]
        return LuongState(
            layers=tuple(tuple(layer) for layer in layers),
            attentional=tf.zeros([rows, self.units]),
            number=tf.zeros([rows], tf.int32),
        )

    def inputs(self, ids: tf.Tensor, training: bool) -> LuongInputs:
        first = self.units_by_layer[0]
        masks = ()
        if training and self.dropout.rate:
            ones = tf.ones(tf.concat([tf.shape(ids), [self.units]], axis=0))
            ones.set_shape([*ids.shape, self.units])
            masks = tuple(self.dropout(ones, training=True) for _ in self.units_by_layer)
        return LuongInputs(first.project(self.dropout(self.embedding(ids), training=training)), masks)

    def in_loop(self, memory: Memory, products: Products) -> Update:
        feed = products.by(self.feeding_kernel, self.compute_dtype) if self.input_feeding else None
        climb = stack_in_loop(self.units_by_layer, products)
        look = self._attentional(memory, products)

        def dropped(values: tf.Tensor, inputs: LuongInputs, layer: int) -> tf.Tensor:
            return values * inputs.masks[layer] if inputs.masks else values

        def advance(inputs: LuongInputs, state: LuongState) -> tuple[Any, LuongState]:
            projected = inputs.projected
            if feed is not None:
                projected = feed(dropped(state.attentional, inputs, 0), plus=projected)
            layers = climb(projected, state.layers, lambda output, layer: dropped(output, inputs, layer))
            attentional, weights = look(layers[-1][0], state.number)
            return (attentional, tf.stop_gradient(weights)), LuongState(layers, attentional, state.number + 1)

        return advance

    def _attentional(self, memory: Memory, products: Products) -> Any:
        """`(h_t, number of the word) -> (h~_t, weights)`."""
        if self.attention is None:
            source = tf.shape(memory.mask)[1]
            return lambda top, number: (top, tf.zeros([tf.shape(top)[0], source]))
        attend = self.attention.in_loop(products, memory.annotations, memory.mask, memory.keys)
        context_product = products.by(self.context_kernel, self.compute_dtype)
        state_product = products.by(self.state_kernel, self.compute_dtype)

        def look(top: tf.Tensor, number: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
            contexts, weights = attend(group_by_sentence(top, memory), group_by_sentence(number, memory))
            return tf.tanh(context_product(ungroup(contexts), plus=state_product(top))), ungroup(weights)

        return look

    def features(self, inputs: LuongInputs, outputs: tf.Tensor, training: bool) -> tf.Tensor:
        return outputs

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "input_feeding": self.input_feeding, "dropout": self.dropout.rate}
