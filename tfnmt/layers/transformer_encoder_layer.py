"""One layer of the Transformer's encoder."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.add_and_normalize import AddAndNormalize
from tfnmt.layers.feed_forward import FeedForward
from tfnmt.layers.initializers import fresh
from tfnmt.layers.multi_head_attention import MultiHeadAttention
from tfnmt.layers.product_layer import ProductLayer


@keras.saving.register_keras_serializable(package="tfnmt")
class TransformerEncoderLayer(ProductLayer):
    """Self-attention, then the feed-forward network, each added and normalised (Vaswani et al. 2017, section 3.1).

    Args:
        heads: `h`.
        head_size: `d_k = d_v`.
        feed_forward_units: `d_ff`.
        dropout: share of each sub-layer's output set to zero in training.
        kernel_initializer: draws all matrices (authors' code: Glorot uniform).

    Call arguments:
        inputs: `[batch, source, d]`.
        inputs_mask: bool `[batch, source]`, True at real positions; None if all are. Keras fills it in with the mask
            that an earlier layer has attached to `inputs`.

    Returns:
        float32 `[batch, source, d]`; padded positions hold anything.
    """

    def __init__(
        self,
        heads: int,
        head_size: int,
        feed_forward_units: int,
        dropout: float = 0.1,
        kernel_initializer: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.heads = heads
        self.head_size = head_size
        self.feed_forward_units = feed_forward_units
        self.dropout = dropout
        self.kernel_initializer = keras.initializers.get(kernel_initializer or keras.initializers.GlorotUniform())
        self.attention = MultiHeadAttention(
            heads, head_size, fresh(self.kernel_initializer, 1), dtype=self.dtype_policy, name="attention"
        )
        self.feed_forward = FeedForward(
            feed_forward_units, fresh(self.kernel_initializer, 2), dtype=self.dtype_policy, name="feed_forward"
        )
        self.after_attention = AddAndNormalize(dropout, dtype=self.dtype_policy, name="after_attention")
        self.after_feed_forward = AddAndNormalize(dropout, dtype=self.dtype_policy, name="after_feed_forward")

    def build(self, inputs_shape: tuple[int | None, ...]) -> None:
        self.build_part(self.attention, inputs_shape, inputs_shape)
        for part in (self.feed_forward, self.after_attention, self.after_feed_forward):
            self.build_part(part, inputs_shape)
        self.built = True

    def call(self, inputs: tf.Tensor, inputs_mask: tf.Tensor | None = None, training: bool = False) -> tf.Tensor:
        mask = tf.ones(tf.shape(inputs)[:2], tf.bool) if inputs_mask is None else inputs_mask
        looked, _ = self.attention.look(inputs, self.attention.keys(inputs), mask[:, tf.newaxis])
        states = self.after_attention(inputs, looked, training=training)
        return self.after_feed_forward(states, self.feed_forward(states), training=training)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "heads": self.heads,
            "head_size": self.head_size,
            "feed_forward_units": self.feed_forward_units,
            "dropout": self.dropout,
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
        }
