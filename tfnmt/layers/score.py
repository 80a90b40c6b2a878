"""The base of the scores: how well an annotation fits a query."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tfnmt.layers.product_layer import ProductLayer
from tfnmt.layers.products import Products

ScoreFunction = Callable[[tf.Tensor, Any], tf.Tensor]
"""`queries [rows, queries, units]`, nest of keys `[rows, positions, ...]` -> scores `[rows, queries, positions]`."""


class Score(ProductLayer):
    """Compares queries with annotations, whatever window of them an attention looks at.

    A subclass implements `keys` and `in_loop`. A window gathers rows of the keys, so keys carry everything that a score
    needs of a position.

    Call arguments:
        queries: `[batch, hypotheses, query units]`, the decoder's states.
        annotations: `[batch, source, annotation]`.

    Returns:
        float32 scores `[batch, hypotheses, source]`.
    """

    from_content: bool = True
    """Whether the score looks at the annotations; their weights then speak of the word that the decoder has read."""

    @property
    def keys_dtype(self) -> str:
        """The dtype in which the score reads its keys: that of its products where they go into some."""
        return "float32"

    def keys(self, annotations: tf.Tensor) -> Any:
        """What does not depend on the query, once a sentence: a nest of `[batch, source, ...]`."""
        raise NotImplementedError

    def in_loop(self, products: Products) -> ScoreFunction:
        """The score, for use inside a loop."""
        raise NotImplementedError

    def call(self, queries: tf.Tensor, annotations: tf.Tensor) -> tf.Tensor:
        return self.in_loop(Products())(queries, self.keys(annotations))
