"""The base of the modules that judge a prefix: two vectors, one hidden layer."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.initializers import fresh
from tfnmt.layers.product_layer import ProductLayer


class Comparison(ProductLayer):
    """`mu = tanh(W [a; b] + bias)`, the feed-forward networks of He et al. (2017), section 3.1.

    The paper's size and nonlinearity of these networks are not known to us: one layer of tanh is a choice.

    Args:
        units: size of `mu`.
        kernel_initializer: draws the halves of `W`.
    """

    def __init__(self, units: int, kernel_initializer: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.units = units
        self.kernel_initializer = keras.initializers.get(kernel_initializer or keras.initializers.GlorotUniform())

    def add_kernels(self, **sizes: int) -> None:
        """The halves of `W` that meet the two vectors, by their names, and the bias."""
        self.kernels = [
            self.add_weight(
                name=f"{name}_kernel", shape=(size, self.units), initializer=fresh(self.kernel_initializer, place)
            )
            for place, (name, size) in enumerate(sizes.items())
        ]
        self.bias = self.add_weight(name="bias", shape=(self.units,), initializer="zeros")
        self.built = True

    def compare(self, *vectors: tf.Tensor) -> tf.Tensor:
        """float32 `[..., m]` and `[..., n]` -> `[..., units]`."""
        products = [self.product(vector, kernel) for vector, kernel in zip(vectors, self.kernels, strict=True)]
        return tf.tanh(tf.add_n(products) + tf.convert_to_tensor(self.bias))

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "units": self.units,
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
        }
