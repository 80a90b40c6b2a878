import numpy as np
import pytest
import tensorflow as tf

from tfnmt.layers.cross_entropy import cross_entropy, log_normalizers

LOGITS = np.random.default_rng(3).normal(scale=4.0, size=[5, 7]).astype("float32")
LABELS = np.array([0, 6, 3, 3, 1], "int32")
WEIGHTS = np.array([1.0, -2.0, 0.5, 0.0, 3.0], "float32")


def distribution(smoothing: float) -> np.ndarray:
    q = np.full(LOGITS.shape, smoothing / (LOGITS.shape[1] - 1))
    q[np.arange(len(LABELS)), LABELS] = 1.0 - smoothing
    return q


def probabilities(logits: np.ndarray) -> np.ndarray:
    exponentials = np.exp(np.float64(logits) - np.max(logits, axis=1, keepdims=True))
    return exponentials / np.sum(exponentials, axis=1, keepdims=True)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_costs_and_their_gradient_are_those_of_the_label_s_distribution(smoothing: float) -> None:
    logits = tf.constant(LOGITS)
    with tf.GradientTape() as tape:
        tape.watch(logits)
        costs = cross_entropy(logits, LABELS, smoothing)
        weighted = tf.reduce_sum(WEIGHTS * costs)
    p, q = probabilities(LOGITS), distribution(smoothing)
    np.testing.assert_allclose(costs, -np.sum(q * np.log(p), axis=1), rtol=1e-5)
    np.testing.assert_allclose(tape.gradient(weighted, logits), (p - q) * WEIGHTS[:, np.newaxis], atol=1e-6)


@pytest.mark.parametrize("far", [80.0, 1e4, 3e38])
def test_logits_far_apart_overflow_nothing(far: float) -> None:
    logits = tf.constant([[far, 0.0, 0.0], [0.0, far, 0.0]])
    with tf.GradientTape() as tape:
        tape.watch(logits)
        costs = cross_entropy(logits, [0, 0])
    np.testing.assert_allclose(costs, [0.0, far])
    np.testing.assert_allclose(tape.gradient(costs, logits), [[0.0, 0.0, 0.0], [-1.0, 1.0, 0.0]], atol=1e-30)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_logit_that_is_not_finite_stays_visible(bad: float) -> None:
    assert not np.isfinite(cross_entropy(tf.constant([[0.0, bad]]), [0])[0])


def test_smoothing_over_one_word_changes_nothing() -> None:
    np.testing.assert_allclose(cross_entropy(tf.constant([[3.0]]), [0], 0.1), [0.0], atol=1e-6)


def test_log_normalizers_sum_the_exponentials() -> None:
    expected = np.log(np.sum(np.exp(np.float64(LOGITS)), axis=1))
    np.testing.assert_allclose(log_normalizers(tf.constant(LOGITS)), expected, rtol=1e-6)
    ruled_out = tf.constant([[1.0, -np.inf], [-np.inf, 2.0]])
    np.testing.assert_allclose(log_normalizers(ruled_out), [1.0, 2.0])
