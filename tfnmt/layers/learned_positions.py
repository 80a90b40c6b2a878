"""Where a word stands in its sentence, told by learnt vectors."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.product_layer import ProductLayer


@keras.saving.register_keras_serializable(package="tfnmt")
class LearnedPositions(ProductLayer):
    """Adds to each vector one of its own for its position: `e_j = w_j + l_j` (Gehring et al. 2016, section 3.1).

    Args:
        positions: rows of the table (authors' code: 1,024); positions beyond it have the last row's vector.
        initializer: draws the table (paper: uniform in [-0.05, 0.05]).

    Call arguments:
        vectors: `[batch, time, size]`.

    Returns:
        float32 `[batch, time, size]`.
    """

    def __init__(self, positions: int = 1024, initializer: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.positions = positions
        self.initializer = keras.initializers.get(initializer or keras.initializers.RandomUniform(-0.05, 0.05))

    def build(self, vectors_shape: tuple[int | None, ...]) -> None:
        self.table = self.add_weight(
            name="table", shape=(self.positions, vectors_shape[-1]), initializer=self.initializer
        )
        self.built = True

    def call(self, vectors: tf.Tensor) -> tf.Tensor:
        numbers = tf.minimum(tf.range(tf.shape(vectors)[1]), self.positions - 1)
        return vectors + tf.gather(tf.convert_to_tensor(self.table), numbers)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "positions": self.positions,
            "initializer": keras.initializers.serialize(self.initializer),
        }
