"""The alignment model of Bahdanau et al.: a small network scores each annotation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.initializers import fresh
from tfnmt.layers.products import Product, Products
from tfnmt.layers.score import Score, ScoreFunction


def additive_score(query_product: Product, vector: tf.Tensor) -> ScoreFunction:
    """`v_a^T tanh(query_product(query) + key)`, with `vector [units, 1]`; float32, since products with one vector gain
    nothing from another dtype."""
    return lambda queries, keys: _energies(query_product(queries), keys, vector)


@tf.custom_gradient
def _energies(
    queries: tf.Tensor, keys: tf.Tensor, vector: tf.Tensor
) -> tuple[tf.Tensor, Callable[[tf.Tensor], tuple[tf.Tensor, ...]]]:
    """`[rows, queries, units]`, `[rows, positions, units]`, `[units, 1]` -> `[rows, queries, positions]`."""
    hidden = tf.tanh(queries[:, :, tf.newaxis] + keys[:, tf.newaxis])  # [rows, queries, positions, units]
    flat = tf.reshape(hidden, [-1, vector.shape[0]])

    def gradient(upstream: tf.Tensor) -> tuple[tf.Tensor, ...]:
        column = tf.reshape(upstream, [-1, 1])
        flat_sums = tf.raw_ops.TanhGrad(y=flat, dy=tf.matmul(column, vector, transpose_b=True))
        sums = tf.reshape(flat_sums, tf.shape(hidden))
        return tf.reduce_sum(sums, axis=2), tf.reduce_sum(sums, axis=1), tf.matmul(flat, column, transpose_a=True)

    return tf.reshape(tf.matmul(flat, vector), tf.shape(hidden)[:-1]), gradient


@keras.saving.register_keras_serializable(package="tfnmt")
class AdditiveScore(Score):
    """`e_ij = v_a^T tanh(W_a s_{i-1} + U_a h_j)` (Bahdanau et al. 2015, section 3.1 and appendix A.1.2).

    Without biases. `U_a h_j` does not depend on the query and is computed once a sentence by `keys`.

    Args:
        units: size of the hidden layer, `n'` in the paper.
        kernel_initializer: draws `W_a` and `U_a` (paper: N(0, 0.001^2)).
        vector_initializer: draws `v_a` (paper: zeros, so that attention starts uniform).
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

    def in_loop(self, products: Products) -> ScoreFunction:
        return additive_score(products.by(self.query_kernel, self.compute_dtype), products.fixed(self.vector))

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "units": self.units,
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
            "vector_initializer": keras.initializers.serialize(self.vector_initializer),
        }
