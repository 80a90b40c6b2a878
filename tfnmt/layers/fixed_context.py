"""No attention: the context vector is the encoder's last state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.product_layer import ProductLayer
from tfnmt.layers.products import Products


@keras.saving.register_keras_serializable(package="tfnmt")
class FixedContext(ProductLayer):
    """`c_i = h_{T_x}` for every `i`: the fixed-length vector of RNNencdec.

    Takes the place of an attention: RNNencdec is RNNsearch with this in it (Bahdanau et al. 2015, sections 2.1 and
    4.2; Cho et al. 2014). The weights are 1 at the last real position; they align nothing.

    Call arguments:
        queries: `[batch, hypotheses, query units]`, used for its shape only.
        annotations: `[batch, source, annotation]`.
        mask: bool `[batch, source]`, True at real positions, which come first; None if all are.

    Returns:
        The context vectors `[batch, hypotheses, annotation]` and the weights `[batch, hypotheses, source]`, float32.
    """

    def build(self, queries_shape: tuple[int | None, ...], annotations_shape: tuple[int | None, ...]) -> None:
        self.built = True

    def keys(self, annotations: tf.Tensor) -> tuple[()]:
        """Nothing to project."""
        return ()

    def in_loop(self, products: Products) -> Callable[..., tuple[tf.Tensor, tf.Tensor]]:
        """See `GlobalAttention.in_loop`."""

        def attend(
            queries: tf.Tensor, annotations: tf.Tensor, mask: tf.Tensor, keys: Any, positions: tf.Tensor
        ) -> tuple[tf.Tensor, tf.Tensor]:
            hypotheses = tf.shape(queries)[1]
            last = tf.maximum(tf.reduce_sum(tf.cast(mask, tf.int32), axis=-1) - 1, 0)
            context = tf.gather(annotations, last, batch_dims=1)
            weights = tf.one_hot(last, tf.shape(annotations)[1])
            return (
                tf.repeat(tf.cast(context, tf.float32)[:, tf.newaxis], hypotheses, axis=1),
                tf.repeat(weights[:, tf.newaxis], hypotheses, axis=1),
            )

        return attend

    def call(
        self, queries: tf.Tensor, annotations: tf.Tensor, mask: tf.Tensor | None = None
    ) -> tuple[tf.Tensor, tf.Tensor]:
        if mask is None:
            mask = tf.ones(tf.shape(annotations)[:2], tf.bool)
        return self.in_loop(Products())(queries, annotations, mask, (), tf.zeros(tf.shape(queries)[:2], tf.int32))
