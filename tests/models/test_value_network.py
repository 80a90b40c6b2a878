"""The value of a prefix: as the equations say, and as the paper's loss moves it."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from tests import twins, value_twins
from tests.models.luong_networks import stacked
from tests.models.networks import (
    PAIRS,
    SOURCE_IDS,
    SOURCE_VOCABULARY,
    TARGET_IDS,
    TARGET_VOCABULARY,
    judging,
    padded,
)
from tfnmt.models.value_network import ValueNetwork

NETWORK = judging()
PREFIXES = [[7, 4, twins.END], [5, 6, 10, 3], [8], [9], [twins.END]]
PREFIX_IDS = padded(PREFIXES)


def test_equals_the_equations() -> None:
    letters = value_twins.letters_of_value_network(NETWORK)
    expected = [
        value_twins.value_of_prefix(letters, source, prefix)
        for (source, _), prefix in zip(PAIRS, PREFIXES, strict=True)
    ]
    assert np.ptp(expected) > 0.05
    np.testing.assert_allclose(NETWORK((SOURCE_IDS, PREFIX_IDS)), expected, atol=1e-5)


def test_padding_plays_no_part() -> None:  # C24
    wider = padded([source for source, _ in PAIRS], 12), padded(PREFIXES, 9)
    np.testing.assert_allclose(NETWORK(wider), NETWORK((SOURCE_IDS, PREFIX_IDS)), atol=1e-6)


def test_steps_of_a_search_give_the_values_of_teacher_forcing() -> None:
    """With two hypotheses of each sentence, the first of which reads the prefix, the second something else."""
    source_ids, prefix_ids = SOURCE_IDS[:2], padded([[7, 4, 5], [5, 6, 10]])
    others = padded([[8, 8, 4], [4, 9, 2]])
    memory = NETWORK.encode(source_ids)
    state = NETWORK.decoder.initial_state(memory, 2)
    words = np.stack([prefix_ids, others], axis=1).reshape(4, 3)
    for ids in (np.full([4], twins.START), *words.T):
        _, state, _ = NETWORK.decoder.step(tf.constant(ids, tf.int32), state, memory)
    found = tf.reshape(NETWORK.log_values(state, memory), [2, 2])
    for column, ids in enumerate((prefix_ids, others)):
        np.testing.assert_allclose(tf.exp(found[:, column]), NETWORK((source_ids, ids)), atol=1e-6)


def test_the_loss_ranks_and_falls_as_the_better_value_rises() -> None:  # K16
    better, worse = PREFIX_IDS, padded([[4], [4, 4], [9, 9, 9], [5, 5], [6]], 4)
    found = NETWORK.token_losses(SOURCE_IDS, np.concatenate([better, worse], axis=1))
    expected = np.exp(NETWORK((SOURCE_IDS, worse)) - NETWORK((SOURCE_IDS, better)))
    np.testing.assert_allclose(found, expected, atol=1e-6)
    swapped = NETWORK.token_losses(SOURCE_IDS, np.concatenate([worse, better], axis=1))
    np.testing.assert_allclose(found * swapped, np.ones(5), atol=1e-5)  # the higher the one value, the lower its loss


def test_only_the_judge_learns_and_the_policy_stays() -> None:
    network = judging()
    policy = {id(variable) for variable in network.policy.variables}
    assert policy and policy.isdisjoint(id(variable) for variable in network.trainable_variables)
    assert len(network.trainable_variables) == 3 + 3 + 2
    rows = np.concatenate([PREFIX_IDS, padded([[4]] * 5, 4)], axis=1)
    before = network.token_losses(SOURCE_IDS, rows)
    for _ in range(5):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(network.token_losses(SOURCE_IDS, rows))
        weights = [variable.value for variable in network.trainable_variables]
        for weight, slope in zip(weights, tape.gradient(loss, weights), strict=True):
            weight.assign_sub(0.2 * slope)
    assert float(tf.reduce_sum(network.token_losses(SOURCE_IDS, rows))) < float(tf.reduce_sum(before))


def test_probabilities_are_the_policy_s() -> None:
    for found, expected in zip(
        NETWORK.token_negative_log_likelihoods(SOURCE_IDS, TARGET_IDS),
        NETWORK.policy.token_negative_log_likelihoods(SOURCE_IDS, TARGET_IDS),
        strict=True,
    ):
        np.testing.assert_array_equal(found, expected)


def test_a_gradient_equals_finite_differences() -> None:  # K18
    """Of the whole value in the direction of its own gradient, for each weight of the modules."""
    network = judging()
    variables = network.trainable_variables
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(network((SOURCE_IDS, PREFIX_IDS)))
    slopes = tape.gradient(total, [variable.value for variable in variables])
    names = [("SM", "W_a"), ("SM", "W_b"), ("SM", "b"), ("CC", "W_a"), ("CC", "W_b"), ("CC", "b")]
    letters = value_twins.letters_of_value_network(network)

    def twin() -> float:
        pairs = zip(PAIRS, PREFIXES, strict=True)
        return sum(value_twins.value_of_prefix(letters, source, prefix) for (source, _), prefix in pairs)

    for (module, letter), slope in zip(names, slopes[:6], strict=True):
        slope = np.asarray(slope).T.astype("float64")
        direction = 1e-6 * slope / np.linalg.norm(slope)
        letters[module][letter] = letters[module][letter] + direction
        above = twin()
        letters[module][letter] = letters[module][letter] - 2 * direction
        below = twin()
        letters[module][letter] = letters[module][letter] + direction
        assert (above - below) / 2e-6 == pytest.approx(np.linalg.norm(slope), rel=1e-3)


def test_another_kind_of_policy_is_refused() -> None:
    with pytest.raises(ValueError, match="reads the states and contexts of an RNNsearch"):
        ValueNetwork(stacked(), NETWORK.semantic_matching, NETWORK.context_coverage)


def test_it_reads_the_vocabularies_of_its_policy() -> None:
    assert (NETWORK.encoder.vocabulary_size, NETWORK.decoder.vocabulary_size) == (SOURCE_VOCABULARY, TARGET_VOCABULARY)
