"""A decoder that remembers on average where it has been."""

from __future__ import annotations

from typing import Any, NamedTuple

import tensorflow as tf

from tfnmt.models.bahdanau_decoder import BahdanauDecoder, DecoderState
from tfnmt.models.memory import Memory
from tfnmt.text.vocabulary import START


class PoolingState(NamedTuple):
    """float32 `[rows, ...]` and int32 `[rows]`.

    Attributes:
        decoder: the state of the decoder itself.
        states: `[rows, units]`, the sum of its states after each word.
        contexts: `[rows, annotation]`, the sum of its contexts.
        words: how many words were read; the start symbol is none.
    """

    decoder: DecoderState
    states: tf.Tensor
    contexts: tf.Tensor
    words: tf.Tensor

    def means(self) -> tuple[tf.Tensor, tf.Tensor]:
        """The mean state `[rows, units]` and context `[rows, annotation]`; zeros before the first word."""
        words = tf.cast(tf.maximum(self.words, 1), tf.float32)[:, tf.newaxis]
        return self.states / words, self.contexts / words


class PoolingDecoder:
    """The decoder that it is given, whose state in a search carries the sums of its states and contexts along.

    A hypothesis' state is gathered and reordered by the search as a whole, so that the means are always those of its
    own words, and cost the same at every length.

    Args:
        decoder: of a trained network.
    """

    def __init__(self, decoder: BahdanauDecoder) -> None:
        self.decoder = decoder
        self.alignment_shift = decoder.alignment_shift
        self.max_target_length = decoder.max_target_length
        self.vocabulary_size = decoder.vocabulary_size
        self.features_size = decoder.features_size

    def prepare(self, memory: Memory) -> Memory:
        """As the decoder does."""
        return self.decoder.prepare(memory)

    def initial_state(self, memory: Memory, hypotheses: int | tf.Tensor = 1) -> PoolingState:
        """Before the first word, a nest of `[batch * hypotheses, ...]`."""
        state = self.decoder.initial_state(memory, hypotheses)
        return PoolingState(
            state, tf.zeros_like(state.hidden), tf.zeros_like(state.context), tf.zeros_like(state.position)
        )

    def step(self, ids: tf.Tensor, state: PoolingState, memory: Memory) -> tuple[tf.Tensor, PoolingState, tf.Tensor]:
        """One word on; arguments and results as those of `Decoder.step`."""
        features, inner, weights = self.decoder.step(ids, state.decoder, memory)
        read = tf.cast(tf.not_equal(ids, START), tf.float32)[:, tf.newaxis]
        pooled = PoolingState(
            inner,
            state.states + read * inner.hidden,
            state.contexts + read * inner.context,
            state.words + tf.cast(tf.not_equal(ids, START), tf.int32),
        )
        return features, pooled, weights

    def means(self, prefix_ids: tf.Tensor, memory: Memory) -> tuple[tf.Tensor, tf.Tensor]:
        """The mean state and context of given prefixes, one a sentence, as steps would have summed them.

        Args:
            prefix_ids: int32 `[batch, prefix]`, padded with 0 on the right.
            memory: prepared.

        Returns:
            float32 `[batch, units]` and `[batch, annotation]`, without gradient.
        """
        inputs = self.decoder.inputs(tf.pad(prefix_ids, [[0, 0], [1, 0]], constant_values=START), training=False)
        (states, contexts), _ = self.decoder.outputs(inputs, memory)
        read = tf.cast(tf.not_equal(prefix_ids, 0), tf.float32)[:, :, tf.newaxis]
        words = tf.maximum(tf.reduce_sum(read, axis=1), 1.0)
        sums: list[Any] = [tf.reduce_sum(read * part[:, 1:], axis=1) for part in (states, contexts)]
        return tf.stop_gradient(sums[0] / words), tf.stop_gradient(sums[1] / words)
