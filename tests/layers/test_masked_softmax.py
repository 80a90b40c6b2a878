import numpy as np
import pytest
import tensorflow as tf

from tests import twins
from tfnmt.layers.masked_softmax import masked_softmax

SCORES = np.random.default_rng(1).normal(scale=3, size=[2, 3, 5]).astype("float32")
MASK = np.array([[True, True, False, True, False], [False, True, False, False, False]])


def test_is_a_softmax_over_the_real_positions() -> None:
    weights = masked_softmax(SCORES, MASK[:, None]).numpy()
    for row in range(2):
        for column in range(3):
            expected = np.zeros(5)
            expected[MASK[row]] = twins.softmax(SCORES[row, column][MASK[row]].astype("float64"))
            np.testing.assert_allclose(weights[row, column], expected, atol=1e-6)
            np.testing.assert_array_equal(weights[row, column][~MASK[row]], 0)  # C24: exactly


def test_a_row_without_a_real_position_is_zero_and_has_a_finite_gradient() -> None:
    scores = tf.constant(SCORES)
    with tf.GradientTape() as tape:
        tape.watch(scores)
        weights = masked_softmax(scores, np.zeros([2, 1, 5], bool))
        total = tf.reduce_sum(weights)
    np.testing.assert_array_equal(weights, np.zeros([2, 3, 5]))
    np.testing.assert_array_equal(tape.gradient(total, scores), np.zeros([2, 3, 5]))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_half_precision_scores_give_float32_weights(dtype: str) -> None:  # C29
    scores = tf.cast([[60000.0, -60000.0, 0.0, 59000.0, 1.0]], dtype)
    weights = masked_softmax(scores, MASK[:1])
    assert weights.dtype == tf.float32
    np.testing.assert_allclose(weights, [[1, 0, 0, 0, 0]], atol=1e-6)


def test_the_greatest_score_at_padding_does_not_matter() -> None:
    scores = np.where(MASK[:, None], SCORES, 3e38).astype("float32")
    np.testing.assert_array_equal(masked_softmax(scores, MASK[:, None]), masked_softmax(SCORES, MASK[:, None]))


def test_very_low_real_scores_still_share_everything() -> None:
    weights = masked_softmax(np.full([1, 5], -3e38, "float32"), MASK[:1])
    np.testing.assert_allclose(weights, [[1 / 3, 1 / 3, 0, 1 / 3, 0]], rtol=1e-6)


def test_a_score_of_minus_infinity_rules_its_position_out() -> None:
    scores = np.array([[-np.inf, 1, 2, 1, 0], [5, -np.inf, 1, 2, 3]], "float32")  # the second row is left with nothing
    with tf.GradientTape() as tape:
        tape.watch(variable := tf.constant(scores))
        weights = masked_softmax(variable, MASK)
        total = tf.reduce_sum(weights**2)
    np.testing.assert_allclose(weights, [[0, 0.5, 0, 0.5, 0], [0, 0, 0, 0, 0]], atol=1e-7)
    assert np.all(np.isfinite(tape.gradient(total, variable)))
