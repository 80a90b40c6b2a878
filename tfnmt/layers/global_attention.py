"""Attention over every annotation of the source."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.masked_softmax import masked_softmax
from tfnmt.layers.product_layer import ProductLayer
from tfnmt.layers.products import Products


@keras.saving.register_keras_serializable(package="tfnmt")
class GlobalAttention(ProductLayer):
    """`a_ij = softmax_j(score(s_i, h_j))`, `c_i = sum_j a_ij h_j` over all real source positions.

    (Bahdanau et al. 2015, section 3.1, equations 5 and 6; the "global" window of Luong et al. 2015, section 3.1.)

    Args:
        score: the layer that compares a query with an annotation, such as `AdditiveScore(1000)`.

    Call arguments:
        queries: `[batch, hypotheses, query units]`. The hypotheses of one sentence share its annotations.
        annotations: `[batch, source, annotation]`.
        mask: bool `[batch, source]`, True at real positions; None if all are.

    Returns:
        The context vectors `[batch, hypotheses, annotation]` and the weights `[batch, hypotheses, source]`, both
        float32. Weights are exactly 0 at padding and sum to 1.
    """

    def __init__(self, score: keras.layers.Layer, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.score = score

    def build(self, queries_shape: tuple[int | None, ...], annotations_shape: tuple[int | None, ...]) -> None:
        self.build_part(self.score, queries_shape, annotations_shape)
        self.built = True

    def keys(self, annotations: tf.Tensor) -> tf.Tensor:
        """What does not depend on the query, once a sentence."""
        return self.score.keys(annotations)

    def in_loop(self, products: Products) -> Callable[..., tuple[tf.Tensor, tf.Tensor]]:
        """Attention, for use inside a loop.

        Returns:
            A function of `queries [batch, hypotheses, query units]`, `annotations`, `mask`, `keys` and `positions
            [batch, hypotheses]` (the number of the predicted word, from 0; not needed by this window) that gives
            contexts and weights.
        """
        score = self.score.in_loop(products)

        def attend(
            queries: tf.Tensor, annotations: tf.Tensor, mask: tf.Tensor, keys: tf.Tensor, positions: tf.Tensor
        ) -> tuple[tf.Tensor, tf.Tensor]:
            weights = masked_softmax(score(queries, keys), mask[:, tf.newaxis])
            contexts = tf.matmul(self.operand(weights), self.operand(annotations))
            return tf.cast(contexts, tf.float32), weights

        return attend

    def call(
        self, queries: tf.Tensor, annotations: tf.Tensor, mask: tf.Tensor | None = None
    ) -> tuple[tf.Tensor, tf.Tensor]:
        if mask is None:
            mask = tf.ones(tf.shape(annotations)[:2], tf.bool)
        positions = tf.zeros(tf.shape(queries)[:2], tf.int32)
        return self.in_loop(Products())(queries, annotations, mask, self.keys(annotations), positions)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "score": keras.saving.serialize_keras_object(self.score)}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> GlobalAttention:
        return cls(**{**config, "score": keras.saving.deserialize_keras_object(config["score"])})
