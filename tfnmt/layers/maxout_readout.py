"""The deep output of Bahdanau et al."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.initializers import fresh
from tfnmt.layers.product_layer import ProductLayer


@keras.saving.register_keras_serializable(package="tfnmt")
class MaxoutReadout(ProductLayer):
    """Deep output with one maxout layer (Bahdanau et al. 2015, appendix A.2.2)::

        t~ = U_o s + V_o E y + C_o c + b_o
        t  = [max(t~_{2k-1}, t~_{2k})]_{k = 1 .. l}          adjacent pairs

    The published models multiply `t` by one more matrix without a non-linearity before the softmax (a factored `W_o`,
    in the authors' code only); `projection` is its size.

    Args:
        units: `l`, the maxout units; the layer before them has `2 l`.
        projection: size of the factor, or None for none.
        dropout: share of the features set to zero in training.
        kernel_initializer: draws the matrices (paper: N(0, 0.01^2)).

    Call arguments:
        state: `[..., state]`.
        embedding: `[..., embedding]`, the previous word's vector.
        context: `[..., annotation]`.

    Returns:
        float32 `[..., features_size]`.
    """

    def __init__(
        self,
        units: int,
        projection: int | None = None,
        dropout: float = 0.0,
        kernel_initializer: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.units = units
        self.projection = projection
        self.features_size = projection or units
        self.dropout = keras.layers.Dropout(dropout, dtype="float32")
        self.kernel_initializer = keras.initializers.get(
            kernel_initializer or keras.initializers.RandomNormal(stddev=0.01)
        )

    def build(
        self,
        state_shape: tuple[int | None, ...],
        embedding_shape: tuple[int | None, ...],
        context_shape: tuple[int | None, ...],
    ) -> None:
        sizes = {
            "state": state_shape[-1],
            "embedding": embedding_shape[-1],
            "context": context_shape[-1],
        }
        for place, (name, size) in enumerate(sizes.items()):
            kernel = self.add_weight(
                name=f"{name}_kernel",
                shape=(size, 2 * self.units),
                initializer=fresh(self.kernel_initializer, place),
            )
            setattr(self, f"{name}_kernel", kernel)
        self.bias = self.add_weight(name="bias", shape=(2 * self.units,), initializer="zeros")
        if self.projection:
            self.projection_kernel = self.add_weight(
                name="projection_kernel",
                shape=(self.units, self.projection),
                initializer=fresh(self.kernel_initializer, len(sizes)),
            )
        self.built = True

    def call(self, state: tf.Tensor, embedding: tf.Tensor, context: tf.Tensor, training: bool = False) -> tf.Tensor:
        pairs = (
            self.product(state, self.state_kernel)
            + self.product(embedding, self.embedding_kernel)
            + self.product(context, self.context_kernel)
            + tf.convert_to_tensor(self.bias)
        )
        paired = tf.reshape(pairs, tf.concat([tf.shape(pairs)[:-1], [self.units, 2]], axis=0))
        units = tf.maximum(*tf.unstack(paired, axis=-1))
        features = self.product(units, self.projection_kernel) if self.projection else units
        return self.dropout(features, training=training)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "units": self.units,
            "projection": self.projection,
            "dropout": self.dropout.rate,
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
        }
