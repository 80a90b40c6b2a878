import numpy as np
import pytest
import tensorflow as tf

from tests import twins
from tests.layers.compared import ANNOTATIONS, LENGTHS, MASK, QUERIES, assert_uniform, built, expected_scores
from tfnmt.layers.global_attention import GlobalAttention
from tfnmt.layers.location_score import LocationScore


@pytest.mark.parametrize("positions", [5, 7, 9])
def test_equals_the_equation(positions: int) -> None:
    score = built(LocationScore(positions))
    np.testing.assert_allclose(score(QUERIES, ANNOTATIONS), expected_scores(score), atol=1e-5)


@pytest.mark.parametrize("positions", [5, 9])
def test_a_short_sentence_takes_the_top_part_and_the_end_of_a_long_one_is_ignored(positions: int) -> None:
    attention = built(GlobalAttention(LocationScore(positions)))
    _, weights = attention(QUERIES, ANNOTATIONS, MASK)
    everywhere = QUERIES @ attention.score.kernel.numpy()  # [batch, hypotheses, positions]
    for row, length in enumerate(LENGTHS):
        top = min(length, positions)
        for hypothesis in range(2):
            expected = twins.softmax(everywhere[row, hypothesis, :top])
            np.testing.assert_allclose(weights[row, hypothesis, :top], expected, atol=1e-6)
        np.testing.assert_array_equal(weights[row, :, top:], 0)


def test_does_not_look_at_the_annotations() -> None:
    score = built(LocationScore(5))
    np.testing.assert_array_equal(score(QUERIES, ANNOTATIONS), score(QUERIES, 1e3 * ANNOTATIONS))
    assert not LocationScore.from_content


def test_gradients_reach_the_positions_that_there_are() -> None:
    attention = built(GlobalAttention(LocationScore(9)))
    with tf.GradientTape() as tape:
        contexts, _ = attention(QUERIES, ANNOTATIONS, MASK)
        total = tf.reduce_sum(contexts**2)
    gradient = tape.gradient(total, attention.score.kernel.value)
    assert np.all(np.max(np.abs(gradient[:, :7]), axis=0) > 1e-4)
    np.testing.assert_array_equal(gradient[:, 7:], 0)


def test_starts_as_in_the_paper() -> None:
    score = LocationScore()
    score.build((None, None, 90), (None, None, 4))
    assert score.kernel.shape == (90, 50)
    assert_uniform(score.kernel)
