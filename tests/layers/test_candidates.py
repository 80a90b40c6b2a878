"""The candidates of sentences side by side, and the logits of them alone (identity K5)."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from tests.layers.test_softmax_output import VOCABULARY, T, output
from tfnmt.layers.candidates import Candidates

COMMON = 6
WORDS = [[7, 7, 3, 0, 20], [9, 0, 0, 9, 0], [5, 4, 0, 0, 0]]
"""Words of three sentences: repeated ones, shared ones, padding."""


def test_own_words_are_distinct_and_not_shared() -> None:
    candidates = Candidates.of(COMMON, tf.constant(WORDS))
    np.testing.assert_array_equal(candidates.ids, [[20, 7], [9, 0], [0, 0]])
    assert Candidates.of(COMMON, tf.zeros([2, 0], tf.int32)).ids.shape == (2, 0)
    assert Candidates.of(COMMON, tf.zeros([0, 3], tf.int32)).ids.shape == (0, 0)


def test_columns_have_words() -> None:
    candidates = Candidates.of(COMMON, tf.constant(WORDS))
    columns = tf.constant([[0, 5, 6, 7], [6, 7, 6, 2], [3, 6, 7, 9]])
    np.testing.assert_array_equal(candidates.words(columns), [[0, 5, 20, 7], [9, 0, 9, 2], [3, 0, 0, 0]])


def test_logits_are_those_of_the_words() -> None:
    layer = output()
    candidates = Candidates.of(COMMON, tf.constant(WORDS))
    full, found = layer.logits(T).numpy(), layer.logits(T, candidates).numpy()  # two rows a sentence
    assert found.shape == (6, 128)
    assert np.all(np.isneginf(found[:, COMMON + 2 :]))
    for row in range(6):
        ids = candidates.ids[row // 2].numpy()
        np.testing.assert_allclose(found[row, :COMMON], full[row, :COMMON], atol=1e-5)
        expected = np.where(ids > 0, full[row, ids], -np.inf)
        np.testing.assert_allclose(found[row, COMMON : COMMON + 2], expected, atol=1e-5)
    probabilities = np.exp(found - layer.log_normalizers(found).numpy()[:, np.newaxis])
    np.testing.assert_allclose(probabilities.sum(axis=1), np.ones(6), rtol=1e-5)


def test_all_words_as_shared_ones_are_the_vocabulary() -> None:  # K5
    layer = output()
    candidates = Candidates.of(VOCABULARY + 3, tf.constant(WORDS))
    np.testing.assert_allclose(layer.logits(T, candidates)[:, :VOCABULARY], layer.logits(T), atol=1e-5)


def test_no_sentence_has_no_logits() -> None:
    candidates = Candidates.of(COMMON, tf.zeros([0, 3], tf.int32))
    assert output().logits(T[:0], candidates).shape == (0, 128)


def test_prepared_candidates_have_the_same_logits() -> None:
    layer, candidates = output(), Candidates.of(COMMON, tf.constant(WORDS))
    prepared = layer.prepare(candidates)
    assert prepared.own.rows.shape == (3, 2, T.shape[1])
    np.testing.assert_array_equal(layer.logits(T, prepared), layer.logits(T, candidates))
