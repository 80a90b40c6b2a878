"""One layer of the Transformer's encoder."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.add_and_normalize import AddAndNormalize
from tfnmt.layers.feed_forward import FeedForward
from tfnmt.layers.initializers import fresh
from tfnmt.layers.multi_head_attention import MultiHeadAttention
from tfnmt.layers.transformer_layer import TransformerLayer


@keras.saving.register_keras_serializable(package="tfnmt")
class TransformerEncoderLayer(TransformerLayer):
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

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.attention = MultiHeadAttention(
            self.heads, self.head_size, fresh(self.kernel_initializer, 1), dtype=self.dtype_policy, name="attention"
        )
        self.feed_forward = FeedForward(
            self.feed_forward_units, fresh(self.kernel_initializer, 2), dtype=self.dtype_policy, name="feed_forward"
        )
        self.after_attention = AddAndNormalize(self.dropout, dtype=self.dtype_policy, name="after_attention")
        self.after_feed_forward = AddAndNormalize(self.dropout, dtype=self.dtype_policy, name="after_feed_forward")

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
