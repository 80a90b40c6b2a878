"""One layer of the Transformer's decoder."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.add_and_normalize import AddAndNormalize
from tfnmt.layers.feed_forward import FeedForward
from tfnmt.layers.initializers import fresh
from tfnmt.layers.multi_head_attention import HeadKeys, MultiHeadAttention
from tfnmt.layers.transformer_layer import TransformerLayer


@keras.saving.register_keras_serializable(package="tfnmt")
class TransformerDecoderLayer(TransformerLayer):
    """Self-attention to the words so far, attention to the source, feed-forward network (Vaswani et al. 2017, 3.1).

    A decoder runs it in two halves, `look_back` and `look_at_source`, for all words at once in training and for one
    word in a search: the same mathematics.

    Args:
        heads: `h`.
        head_size: `d_k = d_v`.
        feed_forward_units: `d_ff`.
        dropout: share of each sub-layer's output set to zero in training.
        kernel_initializer: draws all matrices (authors' code: Glorot uniform).

    Call arguments:
        inputs: `[batch, target, d]`; each position sees itself and those before it.
        annotations: `[batch, source, annotation]`.
        annotations_mask: bool `[batch, source]`, True at real positions; None if all are.

    Returns:
        float32 `[batch, target, d]` and the weights of each head over the source `[batch, heads, target, source]`.

    Raises:
        ValueError: when built for annotations of another size than the inputs, to which they are added.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.self_attention, self.source_attention = (
            MultiHeadAttention(
                self.heads, self.head_size, fresh(self.kernel_initializer, place), dtype=self.dtype_policy, name=name
            )
            for place, name in enumerate(("self_attention", "source_attention"), start=1)
        )
        self.feed_forward = FeedForward(
            self.feed_forward_units, fresh(self.kernel_initializer, 3), dtype=self.dtype_policy, name="feed_forward"
        )
        self.after_self_attention, self.after_source_attention, self.after_feed_forward = (
            AddAndNormalize(self.dropout, dtype=self.dtype_policy, name=f"after_{name}")
            for name in ("self_attention", "source_attention", "feed_forward")
        )

    def build(self, inputs_shape: tuple[int | None, ...], annotations_shape: tuple[int | None, ...]) -> None:
        if inputs_shape[-1] != annotations_shape[-1]:
            raise ValueError(
                f"What a Transformer's decoder looks at is added to its own vectors: annotations of size "
                f"{annotations_shape[-1]} do not fit vectors of size {inputs_shape[-1]}; give both the same units."
            )
        self.build_part(self.self_attention, inputs_shape, inputs_shape)
        self.build_part(self.source_attention, inputs_shape, annotations_shape)
        for part in (
            self.feed_forward,
            self.after_self_attention,
            self.after_source_attention,
            self.after_feed_forward,
        ):
            self.build_part(part, inputs_shape)
        self.built = True

    def look_back(self, inputs: tf.Tensor, own: HeadKeys, mask: tf.Tensor, training: bool = False) -> tf.Tensor:
        """The first sub-layer: `inputs [batch, target, d]`, the keys of all words so far, what each may look at."""
        looked, _ = self.self_attention.look(inputs, own, mask)
        return self.after_self_attention(inputs, looked, training=training)

    def look_at_source(
        self, states: tf.Tensor, keys: HeadKeys, mask: tf.Tensor, training: bool = False
    ) -> tuple[tf.Tensor, tf.Tensor]:
        """The other two: `states [batch, target, d]`, the keys of the source, its mask `[batch, source]`."""
        looked, weights = self.source_attention.look(states, keys, mask[:, tf.newaxis])
        states = self.after_source_attention(states, looked, training=training)
        return self.after_feed_forward(states, self.feed_forward(states), training=training), weights

    def call(
        self,
        inputs: tf.Tensor,
        annotations: tf.Tensor,
        annotations_mask: tf.Tensor | None = None,
        training: bool = False,
    ) -> tuple[tf.Tensor, tf.Tensor]:
        mask = tf.ones(tf.shape(annotations)[:2], tf.bool) if annotations_mask is None else annotations_mask
        states = self.look_back(inputs, self.self_attention.keys(inputs), so_far(tf.shape(inputs)[1]), training)
        return self.look_at_source(states, self.source_attention.keys(annotations), mask, training)


def so_far(time: tf.Tensor) -> tf.Tensor:
    """bool `[1, time, time]`: each position may look at itself and those before it."""
    positions = tf.range(time)
    return (positions <= positions[:, tf.newaxis])[tf.newaxis]
