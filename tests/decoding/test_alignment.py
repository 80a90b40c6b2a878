import numpy as np
import pytest
import tensorflow as tf

from tfnmt.decoding.alignment import Alignment, strongest_words, word_weights

# Two sentences of 2 and 1 words with their end symbols, one hypothesis of two words and the end symbol for each.
STEPS = tf.constant(
    [
        [[[0.1, 0.2, 0.7], [0.5, 0.4, 0.1], [0.2, 0.3, 0.5]]],
        [[[0.4, 0.6, 0.0], [0.9, 0.1, 0.0], [0.3, 0.7, 0.0]]],
    ]
)
WORDS = tf.constant([2, 1])


def test_the_end_of_the_source_is_no_word():
    weights = word_weights(STEPS, WORDS, 0)
    np.testing.assert_allclose(weights, [[[[0.1, 0.2], [0.5, 0.4]]], [[[0.4, 0.0], [0.9, 0.0]]]])
    assert strongest_words(weights).numpy().tolist() == [[[1, 0]], [[0, 0]]]


def test_a_shift_takes_the_next_step():
    weights = word_weights(STEPS, WORDS, 1)
    np.testing.assert_allclose(weights, [[[[0.5, 0.4], [0.2, 0.3]]], [[[0.9, 0.0], [0.3, 0.0]]]])
    assert strongest_words(weights).numpy().tolist() == [[[0, 1]], [[0, 0]]]


def test_no_words_at_all():
    weights = word_weights(tf.zeros([1, 1, 1, 1]), tf.constant([0]), 0)
    assert weights.shape == (1, 1, 0, 0)
    assert strongest_words(word_weights(STEPS[:1], tf.constant([0]), 0)).numpy().tolist() == [[[0, 0]]]


def test_an_alignment_fits_its_words():
    Alignment(("a", "b"), ("c",), np.zeros([1, 2], np.float32))
    with pytest.raises(ValueError, match=r"\(1, 2\) target and source words expected, not \(2, 1\)"):
        Alignment(("a", "b"), ("c",), np.zeros([2, 1], np.float32))
