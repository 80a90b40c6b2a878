"""The convolutional encoder of Gehring et al."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.convolution_stack import ConvolutionStack
from tfnmt.layers.initializers import fresh
from tfnmt.models.positioned_encoder import PositionedEncoder


@keras.saving.register_keras_serializable(package="tfnmt")
class ConvolutionalEncoder(PositionedEncoder):
    """Two stacks of convolutions: attention scores what one makes and sums what the other makes::

        z_j = CNN-a(e)_j, between two linear maps       scored
        CNN-c(e)_j                                      summed

    (Gehring et al. 2016, section 3.2.) The linear maps stand around CNN-a, as in the authors' code; the paper's text
    says CNN-c. The other arguments are those of `PositionedEncoder`.

    Args:
        score_layers: convolutions of CNN-a.
        score_units: width of CNN-a.
        value_layers: convolutions of CNN-c, whose width is that of a word vector.
        width: `k`, how many words a convolution sees.
    """

    def __init__(
        self,
        vocabulary_size: int,
        embedding_size: int = 256,
        score_layers: int = 6,
        score_units: int = 512,
        value_layers: int = 3,
        width: int = 3,
        **kwargs: Any,
    ) -> None:
        super().__init__(vocabulary_size, embedding_size, **kwargs)
        self.scored_size = embedding_size
        self.score_units = score_units
        self.score_stack = ConvolutionStack(score_layers, width, dtype=self.dtype_policy, name="score_stack")
        self.value_stack = ConvolutionStack(value_layers, width, dtype=self.dtype_policy, name="value_stack")

    def build(self, input_shape: Any = None) -> None:
        super().build(input_shape)
        self.build_part(self.score_stack, (None, None, self.score_units))
        self.build_part(self.value_stack, (None, None, self.embedding_size))
        sizes = (self.embedding_size, self.score_units)
        for place, (name, (rows, columns)) in enumerate({"inner": sizes, "outer": sizes[::-1]}.items(), start=2):
            kernel = self.add_weight(
                name=f"{name}_kernel", shape=(rows, columns), initializer=fresh(self.kernel_initializer, place)
            )
            setattr(self, f"{name}_kernel", kernel)
            setattr(self, f"{name}_bias", self.add_weight(name=f"{name}_bias", shape=(columns,), initializer="zeros"))

    def encode(self, ids: tf.Tensor, mask: tf.Tensor, training: bool) -> tuple[Any, ...]:
        vectors = self.vectors(ids, training)
        inner = self.product(vectors, self.inner_kernel) + tf.convert_to_tensor(self.inner_bias)
        scored = self.product(self.score_stack(inner, mask), self.outer_kernel) + tf.convert_to_tensor(self.outer_bias)
        return self.value_stack(vectors, mask), (), scored

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "score_layers": self.score_stack.layers,
            "score_units": self.score_units,
            "value_layers": self.value_stack.layers,
            "width": self.score_stack.width,
        }
