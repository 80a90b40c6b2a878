"""The base of the decoders: one mathematics for training and for search."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tfnmt.layers.product_layer import ProductLayer
from tfnmt.models.memory import Memory


class Decoder(ProductLayer):
    """Turns the words so far and a `Memory` into features of the next word.

    A search calls `prepare`, `initial_state` and `step`; training calls the layer. State rows are `batch * hypotheses`,
    the hypotheses of one sentence adjacent, and share that sentence's row of the memory, which is never tiled.

    A subclass sets `vocabulary_size`, `features_size` and implements `prepare`, `initial_state`, `step` and `call`.

    Attributes:
        alignment_shift: 0 if the weights of a step align the word it predicts; 1 if they align the word it reads, so
            that a word's alignment is in the weights of the next step.
        max_target_length: most words the decoder can place, or None for any number.
    """

    vocabulary_size: int
    features_size: int
    alignment_shift: int = 0
    max_target_length: int | None = None

    def get_build_config(self) -> None:
        """The network that holds the decoder builds it."""
        return None

    def prepare(self, memory: Memory) -> Memory:
        """The memory with what the decoder computes once a sentence."""
        raise NotImplementedError

    def initial_state(self, memory: Memory, hypotheses: int | tf.Tensor = 1) -> Any:
        """The state before the first word, a nest of `[batch * hypotheses, ...]`."""
        raise NotImplementedError

    def step(self, ids: tf.Tensor, state: Any, memory: Memory) -> tuple[tf.Tensor, Any, tf.Tensor]:
        """One word on.

        Args:
            ids: int32 `[rows]`, the previous words; `START` before the first.
            state: nest of `[rows, ...]`.
            memory: prepared, `[batch, ...]`; `rows` is a multiple of `batch`.

        Returns:
            Features `[rows, features]`, the new state, attention weights `[rows, source]`.
        """
        raise NotImplementedError


def group_by_sentence(rows: tf.Tensor, memory: Memory) -> tf.Tensor:
    """`[batch * hypotheses, ...] -> [batch, hypotheses, ...]`."""
    batch = tf.shape(memory.mask)[0]
    hypotheses = tf.maximum(tf.shape(rows)[0] // tf.maximum(batch, 1), 1)  # an empty batch has room for one
    return tf.reshape(rows, tf.concat([[batch, hypotheses], tf.shape(rows)[1:]], axis=0))


def ungroup(groups: tf.Tensor) -> tf.Tensor:
    """`[batch, hypotheses, ...] -> [batch * hypotheses, ...]`."""
    shape = tf.shape(groups)
    return tf.reshape(groups, tf.concat([[shape[0] * shape[1]], shape[2:]], axis=0))
