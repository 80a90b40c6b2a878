"""The windows of Luong et al.'s local attention: where its middle is, and how much its edges count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.initializers import fresh
from tfnmt.layers.product_layer import ProductLayer
from tfnmt.layers.products import Products

CentreFunction = Callable[[tf.Tensor, tf.Tensor, tf.Tensor], tf.Tensor]
"""`queries [batch, hypotheses, units]`, word numbers `[batch, hypotheses]`, lengths `[batch]` -> centres, float32."""


class Window(ProductLayer):
    """Where a local attention looks. A subclass implements `centre`, and `emphasis` if positions count differently."""

    def centre(self, products: Products) -> CentreFunction:
        """The middle of the window in positions from 0, real, for use inside a loop."""
        raise NotImplementedError

    def emphasis(self, distance: tf.Tensor, half_width: int) -> tf.Tensor:
        """The factor of a weight at a (real, signed) distance from the centre."""
        return tf.ones_like(distance)


@keras.saving.register_keras_serializable(package="tfnmt")
class MonotonicWindow(Window):
    """local-m: source and target run in step, `p_t = t` (Luong et al. 2015, section 3.2).

    Past the end of the source the window stays at its last word, as in the authors' code.
    """

    def build(self, queries_shape: tuple[int | None, ...]) -> None:
        self.built = True

    def centre(self, products: Products) -> CentreFunction:
        def place(queries: tf.Tensor, numbers: tf.Tensor, lengths: tf.Tensor) -> tf.Tensor:
            return tf.cast(tf.minimum(numbers, lengths[:, tf.newaxis] - 1), tf.float32)

        return place


@keras.saving.register_keras_serializable(package="tfnmt")
class PredictiveWindow(Window):
    """local-p: the model predicts the centre (Luong et al. 2015, equations 9 and 10)::

        p_t = S * sigmoid(v_p^T tanh(W_p h_t))
        factor(s) = exp(-(s - p_t)^2 / (2 sigma^2)),  sigma = D / 2

    `S` is the sentence's length and positions count from 0, which is the authors' code: the paper's `p_t` is from 0 to
    `S` among words numbered from 1. The gradient of `p_t` comes through the factor.

    Args:
        units: hidden units of the prediction.
        kernel_initializer: draws `W_p` and `v_p` (paper: uniform in [-0.1, 0.1]).
    """

    def __init__(self, units: int, kernel_initializer: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.units = units
        self.kernel_initializer = keras.initializers.get(
            kernel_initializer or keras.initializers.RandomUniform(-0.1, 0.1)
        )

    def build(self, queries_shape: tuple[int | None, ...]) -> None:
        self.kernel = self.add_weight(
            name="kernel", shape=(queries_shape[-1], self.units), initializer=fresh(self.kernel_initializer)
        )
        self.vector = self.add_weight(
            name="vector", shape=(self.units, 1), initializer=fresh(self.kernel_initializer, 1)
        )
        self.built = True

    def centre(self, products: Products) -> CentreFunction:
        hidden_product = products.by(self.kernel, self.compute_dtype)
        vector_product = products.by(self.vector, self.compute_dtype)

        def place(queries: tf.Tensor, numbers: tf.Tensor, lengths: tf.Tensor) -> tf.Tensor:
            share = tf.sigmoid(tf.squeeze(vector_product(tf.tanh(hidden_product(queries))), axis=-1))
            return tf.cast(lengths, tf.float32)[:, tf.newaxis] * share

        return place

    def emphasis(self, distance: tf.Tensor, half_width: int) -> tf.Tensor:
        deviation = half_width / 2
        return tf.exp(-tf.square(distance) / (2 * deviation**2))

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "units": self.units,
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
        }
