"""Luong et al.'s concat score."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.additive_score import additive_score
from tfnmt.layers.initializers import fresh
from tfnmt.layers.products import Products
from tfnmt.layers.score import Score, ScoreFunction


@keras.saving.register_keras_serializable(package="tfnmt")
class ConcatScore(Score):
    """`score(h_t, h_s) = v_a^T tanh(W_a [h_t; h_s])` (Luong et al. 2015, equation 8, "concat").

    In the paper's runs the half of `W_a` that meets the annotation is the identity (footnote 15), so the score is
    `v_a^T tanh(W_a h_t + h_s)`; its results are of that form, which is the default here.

    Args:
        identity: whether the half that meets the annotation is the identity.
        units: hidden units; None takes the annotation's size, which the identity needs.
        kernel_initializer: draws `W_a` and `v_a` (paper: uniform in [-0.1, 0.1]).

    Raises:
        ValueError: when built with the identity and units of another size than the annotation.
    """

    def __init__(
        self, identity: bool = True, units: int | None = None, kernel_initializer: Any = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.identity = identity
        self.units = units
        self.kernel_initializer = keras.initializers.get(
            kernel_initializer or keras.initializers.RandomUniform(-0.1, 0.1)
        )

    def build(self, queries_shape: tuple[int | None, ...], annotations_shape: tuple[int | None, ...]) -> None:
        annotation_size = annotations_shape[-1]
        units = self.units or annotation_size
        if self.identity and units != annotation_size:
            raise ValueError(
                f"With the identity the score has as many units as an annotation, {annotation_size}, not {units}."
            )
        self.query_kernel = self.add_weight(
            name="query_kernel", shape=(queries_shape[-1], units), initializer=fresh(self.kernel_initializer)
        )
        if not self.identity:
            self.annotation_kernel = self.add_weight(
                name="annotation_kernel",
                shape=(annotation_size, units),
                initializer=fresh(self.kernel_initializer, 1),
            )
        self.vector = self.add_weight(name="vector", shape=(units, 1), initializer=fresh(self.kernel_initializer, 2))
        self.built = True

    def keys(self, annotations: tf.Tensor) -> tf.Tensor:
        return annotations if self.identity else self.product(annotations, self.annotation_kernel)

    def in_loop(self, products: Products) -> ScoreFunction:
        return additive_score(products.by(self.query_kernel, self.compute_dtype), products.fixed(self.vector))

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "identity": self.identity,
            "units": self.units,
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
        }
