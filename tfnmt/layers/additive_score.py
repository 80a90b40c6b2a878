"""The alignment model of Bahdanau et al.: a small network scores each annotation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.initializers import fresh
from tfnmt.layers.product_layer import ProductLayer
from tfnmt.layers.products import Products


@keras.saving.register_keras_serializable(package="tfnmt")
class AdditiveScore(ProductLayer):
    """`e_ij = v_a^T tanh(W_a s_{i-1} + U_a h_j)` (Bahdanau et al. 2015, section 3.1 and appendix A.1.2).

    Without biases. `U_a h_j` does not depend on the query and is computed once a sentence by `keys`.

    Args:
        units: size of the hidden layer, `n'` in the paper.
        kernel_initializer: draws `W_a` and `U_a` (paper: N(0, 0.001^2)).
        vector_initializer: draws `v_a` (paper: zeros, so that attention starts uniform).

    Call arguments:
        queries: `[batch, hypotheses, query units]`, the decoder's states.
        annotations: `[batch, source, annotation]`.

    Returns:
        float32 scores `[batch, hypotheses, source]`.
    """

    def __init__(
        self,
        units: int,
        kernel_initializer: Any = None,
        vector_initializer: Any = "zeros",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.units = units
        self.kernel_initializer = keras.initializers.get(
            kernel_initializer or keras.initializers.RandomNormal(stddev=0.001)
        )
        self.vector_initializer = keras.initializers.get(vector_initializer)

    def build(self, queries_shape: tuple[int | None, ...], annotations_shape: tuple[int | None, ...]) -> None:
        self.query_kernel = self.add_weight(
            name="query_kernel", shape=(queries_shape[-1], self.units), initializer=fresh(self.kernel_initializer)
        )
        self.annotation_kernel = self.add_weight(
            name="annotation_kernel",
            shape=(annotations_shape[-1], self.units),
            initializer=fresh(self.kernel_initializer, offset=1),
        )
        self.vector = self.add_weight(name="vector", shape=(self.units, 1), initializer=self.vector_initializer)
        self.built = True

    def keys(self, annotations: tf.Tensor) -> tf.Tensor:
        """`U_a h_j`: `[batch, source, annotation] -> [batch, source, units]`."""
        return self.product(annotations, self.annotation_kernel)

    def in_loop(self, products: Products) -> Callable[[tf.Tensor, tf.Tensor], tf.Tensor]:
        """The score, for use inside a loop.

        Returns:
            A function of `queries [batch, hypotheses, query units]` and `keys [batch, source, units]` that gives the
            scores `[batch, hypotheses, source]`.
        """
        query_product = products.by(self.query_kernel, self.compute_dtype)
        vector = self.operand(self.vector)

        def score(queries: tf.Tensor, keys: tf.Tensor) -> tf.Tensor:
            projected = query_product(queries)
            hidden = tf.tanh(projected[:, :, tf.newaxis] + keys[:, tf.newaxis])  # [batch, hypotheses, source, units]
            return tf.squeeze(self.product(hidden, vector), axis=-1)

        return score

    def call(self, queries: tf.Tensor, annotations: tf.Tensor) -> tf.Tensor:
        return self.in_loop(Products())(queries, self.keys(annotations))

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "units": self.units,
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
            "vector_initializer": keras.initializers.serialize(self.vector_initializer),
        }
