"""The base of the layers here: float32 activations, matrix products in the policy's compute dtype."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.loop_invariants import cast_once
from tfnmt.layers.products import multiply


class ProductLayer(keras.layers.Layer):
    """A layer whose activations stay float32 while its matrix products run in the compute dtype.

    Half precision pays in products and costs accuracy (and, on a CPU, time) in element-wise work, so under
    `mixed_bfloat16` only products are cast. Keras's own casting of inputs is therefore switched off.
    """

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("autocast", False)
        super().__init__(**kwargs)
        # Every position is computed for itself: a Keras mask of the first argument holds for the output.
        self.supports_masking = True

    def add_weight(self, *args: Any, **kwargs: Any) -> keras.Variable:
        """As in Keras, but the weight keeps its own dtype inside layers that cast theirs."""
        return super().add_weight(*args, **{"autocast": False, **kwargs})

    def build_part(self, part: keras.layers.Layer, *shapes: Any) -> None:
        """Builds a layer inside this one, unless loading a saved model has built it already."""
        if not part.built:
            part.build(*shapes)

    def operand(self, tensor: tf.Tensor | keras.Variable) -> tf.Tensor:
        """`tensor` cast for a product; a weight once for all steps of a search."""
        if isinstance(tensor, keras.Variable):
            return cast_once(tensor, self.compute_dtype)
        return tf.cast(tf.convert_to_tensor(tensor), self.compute_dtype)

    def product(self, inputs: tf.Tensor, kernel: tf.Tensor | keras.Variable) -> tf.Tensor:
        """`inputs [..., m] x kernel [m, n] -> [..., n]` in float32."""
        return multiply(inputs, self.operand(kernel))
