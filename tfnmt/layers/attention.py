"""The base of what gives a decoder its context vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tfnmt.layers.product_layer import ProductLayer
from tfnmt.layers.products import Products

Attend = Callable[[tf.Tensor, tf.Tensor], tuple[tf.Tensor, tf.Tensor]]
"""`queries [batch, hypotheses, query units]` and the number of the word to predict `[batch, hypotheses]` (from 0) ->
contexts `[batch, hypotheses, annotation]`, weights `[batch, hypotheses, source]`."""


class Attention(ProductLayer):
    """Looks at the annotations of a sentence and gives a context vector.

    A subclass implements `keys` and `in_loop`.

    Call arguments:
        queries: `[batch, hypotheses, query units]`. The hypotheses of one sentence share its annotations.
        annotations: `[batch, source, annotation]`.
        annotations_mask: bool `[batch, source]`, True at real positions, which come first; None if all are. Keras fills
            it in with the mask that an earlier layer has attached to `annotations`.
        numbers: int32 `[batch, hypotheses]`, the number of the word to predict, from 0; None for 0.

    Returns:
        The context vectors `[batch, hypotheses, annotation]` and the weights `[batch, hypotheses, source]`, float32.
        Weights are exactly 0 at padding.
    """

    @property
    def from_content(self) -> bool:
        """Whether the weights come from the annotations' content; they then speak of the word the decoder has read."""
        return True

    def keys(self, annotations: tf.Tensor) -> Any:
        """What does not depend on the query, once a sentence: a nest of `[batch, source, ...]`."""
        raise NotImplementedError

    def in_loop(self, products: Products, annotations: tf.Tensor, mask: tf.Tensor, keys: Any) -> Attend:
        """The attention to one batch of sentences, for use inside a loop."""
        raise NotImplementedError

    def call(
        self,
        queries: tf.Tensor,
        annotations: tf.Tensor,
        annotations_mask: tf.Tensor | None = None,
        numbers: tf.Tensor | None = None,
    ) -> tuple[tf.Tensor, tf.Tensor]:
        mask = tf.ones(tf.shape(annotations)[:2], tf.bool) if annotations_mask is None else annotations_mask
        if numbers is None:
            numbers = tf.zeros(tf.shape(queries)[:2], tf.int32)
        return self.in_loop(Products(), annotations, mask, self.keys(annotations))(queries, numbers)
