"""Luong et al.'s general score."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.dot_score import InnerProductScore


@keras.saving.register_keras_serializable(package="tfnmt")
class GeneralScore(InnerProductScore):
    """`score(h_t, h_s) = h_t^T W_a h_s` (Luong et al. 2015, equation 8, "general").

    `W_a h_s` does not depend on the query and is computed once a sentence.

    Args:
        kernel_initializer: draws `W_a` (paper: uniform in [-0.1, 0.1]).
    """

    def __init__(self, kernel_initializer: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.kernel_initializer = keras.initializers.get(
            kernel_initializer or keras.initializers.RandomUniform(-0.1, 0.1)
        )

    def build(self, queries_shape: tuple[int | None, ...], annotations_shape: tuple[int | None, ...]) -> None:
        # The transpose of W_a, which meets annotations from the right here.
        self.kernel = self.add_weight(
            name="kernel", shape=(annotations_shape[-1], queries_shape[-1]), initializer=self.kernel_initializer
        )
        self.built = True

    def keys(self, annotations: tf.Tensor) -> tf.Tensor:
        return self.product(annotations, self.kernel)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
        }
