import numpy as np
import pytest
import tensorflow as tf

from tests.decoding.tiny import tiny_network
from tfnmt.decoding.beam_search import BeamSearch
from tfnmt.decoding.forced import forced

SOURCES = tf.constant([[4, 5, 6, 7, 8, 9, 5], [7, 0, 0, 0, 0, 0, 0], [9, 8, 4, 0, 0, 0, 0], [0] * 7])


@pytest.mark.parametrize("beam_size", [1, 4])
def test_says_what_the_search_said(beam_size):
    network = tiny_network(10, 12, seed=3)
    found = BeamSearch(maximum_length_constant=3)(network, SOURCES, beam_size, 1)
    target = found.ids.shape[2]
    again = forced(network, SOURCES, found.ids[:, 0])
    compared = 0
    for row, (length, ended) in enumerate(
        zip(found.lengths[:3, 0].numpy(), found.finished[:3, 0].numpy(), strict=True)
    ):
        steps = length + 1 if ended else length
        expected = again.word_log_probabilities[row, :steps].numpy().sum()
        assert float(found.log_probabilities[row, 0]) == pytest.approx(expected, abs=1e-4)
        np.testing.assert_allclose(
            found.weights[row, 0, : length + 1], again.weights[row, 0, : length + 1], rtol=1e-3, atol=1e-5
        )
        compared += length
    assert compared > 3 and target > 1


def test_the_end_stands_at_the_true_length():  # C86
    network = tiny_network(10, 12, seed=4)
    targets = tf.constant([[5, 6, 0, 0, 0, 0], [7, 8, 9, 10, 11, 4]])
    together = forced(network, SOURCES[:2], targets)
    alone = forced(network, SOURCES[:1], targets[:1, :2])
    np.testing.assert_allclose(together.log_probabilities[0], alone.log_probabilities[0], atol=1e-5)
    np.testing.assert_allclose(together.weights[0, 0, :3], alone.weights[0, 0], atol=1e-6)
    assert not together.weights[0, 0, 3:].numpy().any()
    assert not together.word_log_probabilities[0, 3:].numpy().any()


def test_the_words_add_up():
    network = tiny_network(10, 12, seed=5)
    targets = tf.constant([[5, 3, 6]])
    logits = network((SOURCES[:1], targets))[0].numpy()
    log_probabilities = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    expected = log_probabilities[range(4), [5, 3, 6, 2]]
    again = forced(network, SOURCES[:1], targets)
    np.testing.assert_allclose(again.word_log_probabilities[0], expected, atol=1e-5)
    np.testing.assert_allclose(again.log_probabilities, [expected.sum()], atol=1e-5)
