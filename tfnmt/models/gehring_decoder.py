"""The decoder of Gehring et al."""

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


class GehringInputs(NamedTuple):
    """What the word alone decides, float32 `[..., n]`."""

    query: tf.Tensor  # g_i + b_d
    projected: tf.Tensor  # what the word adds to the first layer's gates


class GehringState(NamedTuple):
    """The state of the stack, float32 `[rows, units]`, and int32 `[rows]`."""

    layers: tuple[LSTMState, ...]
    number: tf.Tensor  # number of the word to predict, from 0


@keras.saving.register_keras_serializable(package="tfnmt")
class GehringDecoder(StackedDecoder):
    """LSTM layers that read the last word and what attention sees with it (Gehring et al. 2016, section 2)::

        d_i     = W_d h_i + b_d + g_i            g_i: the vector of the last word
        c_i     = attention(d_i, source)         dot products, of which the paper scales none
        h_{i+1} = LSTM([g_i; c_i], h_i)
        t_{i+1} = W_t h_{i+1} + b_t              the features, of a word vector's size

    The state starts at zero. With several layers attention works with the state of the first and feeds the first; the
    features come from the last. The LSTM is that of `LSTMUnit`, without biases; the paper does not tell.

    Args:
        vocabulary_size: target words, control symbols included.
        embedding_size: size of a word vector, of a query and of the features.
        units: size of each layer.
        layers: number of layers.
        attention: any score in any window; the paper's is `GlobalAttention(DotScore())`.
        embedding_dropout: share of the word vectors' components set to zero in training.
        output_dropout: the same of the last layer's outputs, from which the features come.
        kernel_initializer: draws all matrices (paper: uniform in [-0.05, 0.05]).
    """

    def __init__(
        self,
        vocabulary_size: int,
        embedding_size: int,
        units: int,
        attention: Attention,
        layers: int = 1,
        embedding_dropout: float = 0.0,
        output_dropout: float = 0.0,
        kernel_initializer: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            vocabulary_size,
            embedding_size,
            units,
            layers,
            attention,
            kernel_initializer or keras.initializers.RandomUniform(-0.05, 0.05),
            **kwargs,
        )
        self.embedding = self.word_vectors(embedding_dropout)
        self.attention: Attention = attention
        self.features_size = embedding_size
        self.output_dropout = keras.layers.Dropout(output_dropout, dtype="float32")

    def build(self, input_ids_shape: Any, memory_shape: Memory) -> None:
        self.build_stack()
        self.build_part(self.attention, (None, None, self.embedding_size), memory_shape.scored_annotations)
        shapes = {
            "query_kernel": (self.units, self.embedding_size),
            # The rows of the first layer's matrix that meet the context vector.
            "context_kernel": (memory_shape.annotations[-1], 4 * self.units),
            "features_kernel": (self.units, self.embedding_size),
        }
        for place, (name, shape) in enumerate(shapes.items(), start=1):
            setattr(
                self,
                name,
                self.add_weight(name=name, shape=shape, initializer=fresh(self.kernel_initializer, -place)),
            )
        self.query_bias, self.features_bias = (
            self.add_weight(name=name, shape=(self.embedding_size,), initializer="zeros")
            for name in ("query_bias", "features_bias")
        )
        self.built = True

    def initial_state(self, memory: Memory, hypotheses: int | tf.Tensor = 1) -> GehringState:
        rows = tf.shape(memory.mask)[0] * hypotheses
        zeros = tf.zeros([rows, self.units])
        return GehringState(((zeros, zeros),) * len(self.units_by_layer), tf.zeros([rows], tf.int32))

    def inputs(self, ids: tf.Tensor, training: bool) -> GehringInputs:
        vectors = self.embedding(ids, training=training)
        projected = self.units_by_layer[0].project(vectors)
        return GehringInputs(vectors + tf.convert_to_tensor(self.query_bias), projected)

    def in_loop(self, memory: Memory, products: Products) -> Update:
        climb = stack_in_loop(self.units_by_layer, products)
        query_product = products.by(self.query_kernel, self.compute_dtype)
        context_product = products.by(self.context_kernel, self.compute_dtype)
        attend = self.attention.in_loop(products, memory.annotations, memory.mask, memory.keys)

        def advance(inputs: GehringInputs, state: GehringState) -> tuple[Any, GehringState]:
            queries = query_product(state.layers[0][0], plus=inputs.query)
            contexts, weights = attend(group_by_sentence(queries, memory), group_by_sentence(state.number, memory))
            projected = context_product(ungroup(contexts), plus=inputs.projected)
            layers = climb(projected, state.layers, lambda output, layer: output)
            new_state = GehringState(layers, state.number + 1)
            return (layers[-1][0], tf.stop_gradient(ungroup(weights))), new_state

        return advance

    def features(self, inputs: GehringInputs, outputs: tf.Tensor, training: bool) -> tf.Tensor:
        outputs = self.output_dropout(outputs, training=training)
        return self.product(outputs, self.features_kernel) + tf.convert_to_tensor(self.features_bias)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "embedding_dropout": self.embedding.dropout.rate,
            "output_dropout": self.output_dropout.rate,
        }
