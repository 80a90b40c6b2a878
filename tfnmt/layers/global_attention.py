"""Attention over every annotation of the source."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.attention import Attend, Attention
from tfnmt.layers.masked_softmax import masked_softmax
from tfnmt.layers.products import Products
from tfnmt.layers.score import Score


@keras.saving.register_keras_serializable(package="tfnmt")
class GlobalAttention(Attention):
    """`a_ij = softmax_j(score(s_i, h_j))`, `c_i = sum_j a_ij h_j` over all real source positions.

    (Bahdanau et al. 2015, section 3.1, equations 5 and 6; the "global" window of Luong et al. 2015, section 3.1.)
    Weights sum to 1.

    Args:
        score: compares a query with an annotation, such as `AdditiveScore(1000)`.
    """

    def __init__(self, score: Score, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.score = score

    def build(self, queries_shape: tuple[int | None, ...], annotations_shape: tuple[int | None, ...]) -> None:
        self.build_part(self.score, queries_shape, annotations_shape)
        self.built = True

    @property
    def from_content(self) -> bool:
        return self.score.from_content

    def keys(self, annotations: tf.Tensor) -> Any:
        return self.score.keys(annotations)

    def in_loop(self, products: Products, annotations: tf.Tensor, mask: tf.Tensor, keys: Any) -> Attend:
        score = self.score.in_loop(products)
        keys = products.fixed(keys, self.score.keys_dtype)
        weigh = products.by_sentence(annotations, self.compute_dtype)

        def attend(queries: tf.Tensor, numbers: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
            weights = masked_softmax(score(queries, keys), mask[:, tf.newaxis])
            return weigh(weights), weights

        return attend

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "score": keras.saving.serialize_keras_object(self.score)}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> GlobalAttention:
        return cls(**{**config, "score": keras.saving.deserialize_keras_object(config["score"])})
