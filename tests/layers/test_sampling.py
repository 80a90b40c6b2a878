"""Samples of words: how many, how often each, and the same again for the same position."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from tfnmt.layers.sampling import (
    ImportanceSampling,
    LogUniformSampling,
    PartitionSampling,
    UnigramSampling,
    inclusion_probabilities,
)

VOCABULARY = 50


def built(sampling: ImportanceSampling) -> ImportanceSampling:
    sampling.build(VOCABULARY)
    return sampling


@pytest.mark.parametrize("size", [1, 7, 25, 49])
def test_inclusion_probabilities_are_proportional_up_to_one_and_sum_to_the_size(size: int) -> None:
    proposal = 1.0 / np.arange(1, VOCABULARY + 1)
    found = inclusion_probabilities(proposal, size)
    assert found.sum() == pytest.approx(size)
    uncertain = found < 1
    np.testing.assert_allclose(found[uncertain] / proposal[uncertain], (found / proposal)[-1])
    assert np.all(found / proposal <= (found / proposal)[-1] + 1e-9)  # who is certain would have had more


def test_a_sample_of_the_whole_vocabulary_is_certain() -> None:
    np.testing.assert_array_equal(inclusion_probabilities(np.ones(4), 4), np.ones(4))
    np.testing.assert_array_equal(inclusion_probabilities(np.ones(4), 9), np.ones(4))


@pytest.mark.parametrize("sampling", [LogUniformSampling(12, seed=3), UnigramSampling(12, seed=3)])
def test_words_are_sampled_as_often_as_their_probability_says(sampling: ImportanceSampling) -> None:
    built(sampling)
    if isinstance(sampling, UnigramSampling):
        sampling.count(np.arange(VOCABULARY)[::-1])
    expected = np.asarray(sampling._inclusion)
    draw = tf.function(lambda: sampling.sample(), autograph=False)
    drawn = np.zeros(VOCABULARY)
    for _ in range(2000):
        ids, log_probabilities = draw()
        assert len(ids) == 12 == len(set(ids.numpy().tolist()))
        np.testing.assert_allclose(np.exp(log_probabilities), expected[ids], rtol=1e-5)
        drawn[ids] += 1
    np.testing.assert_allclose(drawn / 2000, expected, atol=0.04)  # 3.5 standard deviations of 0.5 / sqrt(2000)


def test_the_same_position_draws_the_same_words() -> None:
    sampling, other = built(LogUniformSampling(12, seed=3)), built(LogUniformSampling(12, seed=3))
    samples = [sampling.sample().ids.numpy() for _ in range(4)]
    other.use(2)
    np.testing.assert_array_equal(other.sample().ids, samples[2])
    assert any(not np.array_equal(samples[0], later) for later in samples[1:])


def test_no_sample_is_larger_than_the_vocabulary() -> None:
    for sampling in (PartitionSampling(), LogUniformSampling(), UnigramSampling(VOCABULARY + 1)):
        sampling.build(VOCABULARY)
        assert sampling.get_config()["size"] == VOCABULARY
        assert len(sampling.sample().ids) == VOCABULARY


def test_a_part_is_the_whole_vocabulary_until_it_is_named() -> None:
    sampling = PartitionSampling(5)
    sampling.build(VOCABULARY)
    np.testing.assert_array_equal(sampling.sample().ids, np.arange(VOCABULARY))
    sampling.use(np.array([31, 2, 7]))
    np.testing.assert_array_equal(sampling.sample().ids, [2, 7, 31])
    np.testing.assert_array_equal(sampling.sample().log_probabilities, np.zeros(3))
