"""Luong et al.'s location score."""

from __future__ import annotations

import math
from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.products import Products
from tfnmt.layers.score import Score, ScoreFunction


@keras.saving.register_keras_serializable(package="tfnmt")
class LocationScore(Score):
    """`a_t = softmax(W_a h_t)`: the query alone says where to look (Luong et al. 2015, equation 9, "location").

    Every `a_t` has the same fixed length. A short sentence uses the top part; in a long one the words beyond are
    ignored (footnote 6). What is used of the top part is normalised; the paper leaves that open.

    Args:
        positions: the fixed length `L`; the paper does not give it.
        kernel_initializer: draws `W_a` (paper: uniform in [-0.1, 0.1]).
    """

    from_content = False

    def __init__(self, positions: int = 50, kernel_initializer: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.positions = positions
        self.kernel_initializer = keras.initializers.get(
            kernel_initializer or keras.initializers.RandomUniform(-0.1, 0.1)
        )

    def build(self, queries_shape: tuple[int | None, ...], annotations_shape: tuple[int | None, ...]) -> None:
        self.kernel = self.add_weight(
            name="kernel", shape=(queries_shape[-1], self.positions), initializer=self.kernel_initializer
        )
        self.built = True

    def keys(self, annotations: tf.Tensor) -> tf.Tensor:
        """The number of each position, int32 `[batch, source]`."""
        shape = tf.shape(annotations)
        return tf.broadcast_to(tf.range(shape[1]), shape[:2])

    def in_loop(self, products: Products) -> ScoreFunction:
        product = products.by(self.kernel, self.compute_dtype)

        def score(queries: tf.Tensor, keys: Any) -> tf.Tensor:
            by_position = tf.transpose(product(queries), [0, 2, 1])  # [rows, L, queries]
            scores = tf.gather(by_position, tf.minimum(keys, self.positions - 1), batch_dims=1)
            beyond = (keys >= self.positions)[..., tf.newaxis]
            return tf.transpose(tf.where(beyond, -math.inf, scores), [0, 2, 1])

        return score

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "positions": self.positions,
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
        }
