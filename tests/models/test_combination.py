"""Each way of combining against its equation in NumPy."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from tfnmt.models.combination import Combination, MeanOfLogits, MeanOfLogProbabilities, MeanOfProbabilities

random = np.random.default_rng(1)
LOGITS = [(3 * random.normal(size=[2, 4, 7])).astype(np.float32) for _ in range(3)]


def probabilities(logits: np.ndarray) -> np.ndarray:
    powers = np.exp(logits.astype(np.float64))
    return powers / powers.sum(axis=-1, keepdims=True)


def scores(combination: Combination, members: list[np.ndarray]) -> np.ndarray:
    """What a search adds up."""
    logits = combination.logits([tf.constant(member) for member in members])
    return (logits - combination.log_normalizers(logits)[..., tf.newaxis]).numpy()


TWINS = {
    MeanOfLogits: lambda members: np.log(probabilities(np.mean(members, axis=0, dtype=np.float64))),
    MeanOfLogProbabilities: lambda members: np.mean([np.log(probabilities(member)) for member in members], axis=0),
    MeanOfProbabilities: lambda members: np.log(np.mean([probabilities(member) for member in members], axis=0)),
}


@pytest.mark.parametrize("way", TWINS, ids=lambda way: way.__name__)
def test_equals_its_equation(way: type[Combination]) -> None:
    np.testing.assert_allclose(scores(way(), LOGITS), TWINS[way](LOGITS), atol=2e-5)


@pytest.mark.parametrize("way", TWINS, ids=lambda way: way.__name__)
def test_a_network_with_itself_changes_nothing(way: type[Combination]) -> None:
    expected = np.log(probabilities(LOGITS[0]))
    np.testing.assert_allclose(scores(way(), [LOGITS[0]] * 3), expected, atol=2e-6)
    np.testing.assert_allclose(scores(way(), [LOGITS[0]]), expected, atol=2e-6)


def test_the_three_differ_as_the_code_of_the_papers_does() -> None:
    of_logits, of_log_probabilities, of_probabilities = (scores(way(), LOGITS) for way in TWINS)
    gap = of_logits - of_log_probabilities  # the normaliser that Jean et al. leave out: the same for all words of a row
    np.testing.assert_allclose(gap, np.broadcast_to(gap[..., :1], gap.shape), atol=2e-5)
    assert (gap > 0.05).all() and np.ptp(gap[..., 0]) > 0.05  # so whole hypotheses may rank otherwise
    assert np.abs(of_probabilities - of_logits).max() > 0.3
    for normalised, expected in ((of_logits, 1), (of_probabilities, 1)):
        np.testing.assert_allclose(np.exp(normalised).sum(axis=-1), expected, atol=1e-5)
    assert (np.exp(of_log_probabilities).sum(axis=-1) < 0.97).all()


@pytest.mark.parametrize("way", TWINS, ids=lambda way: way.__name__)
def test_a_word_that_all_forbid_stays_forbidden(way: type[Combination]) -> None:
    members = [member.copy() for member in LOGITS]
    for member in members:
        member[..., 2] = -np.inf
    found = scores(way(), members)
    assert np.isneginf(found[..., 2]).all()
    assert np.isfinite(np.delete(found, 2, axis=-1)).all()
