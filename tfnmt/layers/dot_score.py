"""Luong et al.'s dot score."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.products import Products
from tfnmt.layers.score import Score, ScoreFunction


class InnerProductScore(Score):
    """The base of the scores that are `query^T key`, as products of the layer; a subclass makes the keys."""

    @property
    def keys_dtype(self) -> str:
        return str(self.compute_dtype)

    def in_loop(self, products: Products) -> ScoreFunction:
        def score(queries: tf.Tensor, keys: Any) -> tf.Tensor:
            return tf.cast(tf.matmul(self.operand(queries), self.operand(keys), transpose_b=True), tf.float32)

        return score


@keras.saving.register_keras_serializable(package="tfnmt")
class DotScore(InnerProductScore):
    """`score(h_t, h_s) = h_t^T h_s` (Luong et al. 2015, equation 8, "dot"): no parameters, both of one size.

    Raises:
        ValueError: when built for queries and annotations of different sizes.
    """

    def build(self, queries_shape: tuple[int | None, ...], annotations_shape: tuple[int | None, ...]) -> None:
        if queries_shape[-1] != annotations_shape[-1]:
            raise ValueError(
                f"A dot score compares vectors of one size, not queries of {queries_shape[-1]} with annotations of "
                f"{annotations_shape[-1]}; GeneralScore compares any two."
            )
        self.built = True

    def keys(self, annotations: tf.Tensor) -> tf.Tensor:
        return annotations
