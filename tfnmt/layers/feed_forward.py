"""The position-wise feed-forward network of the Transformer."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.initializers import fresh
from tfnmt.layers.product_layer import ProductLayer


@keras.saving.register_keras_serializable(package="tfnmt")
class FeedForward(ProductLayer):
    """`FFN(x) = max(0, x W_1 + b_1) W_2 + b_2`, the same at each position (Vaswani et al. 2017, equation 2).

    Args:
        units: `d_ff`, size of the inner layer.
        kernel_initializer: draws both matrices (authors' code: Glorot uniform).

    Call arguments:
        inputs: `[..., d]`.

    Returns:
        float32 `[..., d]`.
    """

    def __init__(self, units: int, kernel_initializer: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.units = units
        self.kernel_initializer = keras.initializers.get(kernel_initializer or keras.initializers.GlorotUniform())

    def build(self, input_shape: tuple[int | None, ...]) -> None:
        size = input_shape[-1]
        self.inner_kernel = self.add_weight(
            name="inner_kernel", shape=(size, self.units), initializer=fresh(self.kernel_initializer)
        )
        self.inner_bias = self.add_weight(name="inner_bias", shape=(self.units,), initializer="zeros")
        self.outer_kernel = self.add_weight(
            name="outer_kernel", shape=(self.units, size), initializer=fresh(self.kernel_initializer, 1)
        )
        self.outer_bias = self.add_weight(name="outer_bias", shape=(size,), initializer="zeros")
        self.built = True

    def call(self, inputs: tf.Tensor) -> tf.Tensor:
        inner = tf.nn.relu(self.product(inputs, self.inner_kernel) + tf.convert_to_tensor(self.inner_bias))
        return self.product(inner, self.outer_kernel) + tf.convert_to_tensor(self.outer_bias)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "units": self.units,
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
        }
