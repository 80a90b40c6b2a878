"""What stands around each sub-layer of the Transformer."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.product_layer import ProductLayer


@keras.saving.register_keras_serializable(package="tfnmt")
class AddAndNormalize(ProductLayer):
    """`LayerNorm(x + Dropout(Sublayer(x)))`, the "Add & Norm" of figure 1 (Vaswani et al. 2017, sections 3.1 and 5.4).

    The normalisation is that of the paper, *after* the addition, with the authors' epsilon 1e-6.

    Args:
        dropout: share of the sub-layer's output set to zero in training.

    Call arguments:
        inputs: `[..., d]`, what went into the sub-layer.
        outputs: `[..., d]`, what came out of it.

    Returns:
        float32 `[..., d]`.
    """

    def __init__(self, dropout: float = 0.1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.dropout = keras.layers.Dropout(dropout, dtype="float32")
        self.normalization = keras.layers.LayerNormalization(epsilon=1e-6, dtype="float32", name="normalization")

    def build(self, inputs_shape: tuple[int | None, ...], outputs_shape: tuple[int | None, ...] | None = None) -> None:
        self.build_part(self.normalization, inputs_shape)
        self.built = True

    def call(self, inputs: tf.Tensor, outputs: tf.Tensor, training: bool = False) -> tf.Tensor:
        return self.normalization(inputs + self.dropout(outputs, training=training))

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "dropout": self.dropout.rate}
