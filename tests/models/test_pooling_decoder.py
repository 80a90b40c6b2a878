"""The decoder's own steps, and the means of where it was."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from tests.models.networks import SOURCE_IDS, padded, searching
from tests.twins import START
from tfnmt.models.pooling_decoder import PoolingDecoder

NETWORK = searching()
WORDS = padded([[7, 4, 5], [5, 6, 0], [8, 0, 0], [9, 4, 2], [2, 0, 0]])


def test_steps_are_the_decoder_s_and_sums_are_of_its_states() -> None:
    memory = NETWORK.encode(SOURCE_IDS)
    plain, pooling = NETWORK.decoder, PoolingDecoder(NETWORK.decoder)
    inner, state = plain.initial_state(memory), pooling.initial_state(memory)
    states, contexts = [], []
    for place, ids in enumerate((np.full([5], START), *WORDS.T[:2])):
        expected, inner, aligned = plain.step(tf.constant(ids, tf.int32), inner, memory)
        features, state, weights = pooling.step(tf.constant(ids, tf.int32), state, memory)
        np.testing.assert_array_equal(features, expected)
        np.testing.assert_array_equal(weights, aligned)
        if place:  # the start symbol is no word
            states.append(inner.hidden)
            contexts.append(inner.context)
    for found, expected in zip(state.means(), (states, contexts), strict=True):
        np.testing.assert_allclose(found, np.mean(expected, axis=0), atol=1e-6)
    np.testing.assert_array_equal(state.words, np.full([5], 2))


def test_before_the_first_word_all_is_zero() -> None:
    state = PoolingDecoder(NETWORK.decoder).initial_state(NETWORK.encode(SOURCE_IDS), 2)
    assert all(not np.any(mean) and mean.shape[0] == 10 for mean in state.means())


def test_given_prefixes_have_the_means_of_their_own_words() -> None:
    memory = NETWORK.encode(SOURCE_IDS)
    pooling = PoolingDecoder(NETWORK.decoder)
    found = pooling.means(WORDS, memory)
    for row, length in enumerate((3, 2, 1, 3, 1)):
        of_one = tf.nest.map_structure(lambda part, row=row: part[row : row + 1], memory)
        state = pooling.initial_state(of_one)
        for word in (START, *WORDS[row, :length]):
            _, state, _ = pooling.step(tf.constant([word], tf.int32), state, of_one)
        for mean, expected in zip(found, state.means(), strict=True):
            np.testing.assert_allclose(mean[row], expected[0], atol=1e-6)
