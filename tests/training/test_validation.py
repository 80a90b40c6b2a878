"""Held-out likelihood."""

from __future__ import annotations

import math

import numpy as np
import pytest
import tensorflow as tf

from tests.training.stand_in import VOCABULARY_SIZE, SmallBatch, SmallBatches, SmallNetwork
from tfnmt.training.validation import LikelihoodValidation


def validation(network: SmallNetwork, batches: list[SmallBatch]) -> LikelihoodValidation:
    return LikelihoodValidation(tf.distribute.get_strategy(), network, batches)


@pytest.mark.parametrize("batch_size", [1, 2, 8])
def test_perplexity_of_a_constant_is_the_size_of_the_vocabulary(batch_size: int) -> None:  # C33
    """Whatever the batch size, so that neither padding nor the mean over batches can enter; dropout is off."""
    network = SmallNetwork(dropout=0.5)
    batches = SmallBatches(pairs=9, batch_size=batch_size)
    network((batches.ids, batches.ids))
    network.softmax.kernel.assign(tf.zeros_like(network.softmax.kernel))
    results = validation(network, list(batches.epoch(0)))()
    assert results["perplexity"] == pytest.approx(VOCABULARY_SIZE, rel=1e-5)
    assert results["loss"] == pytest.approx(math.log(VOCABULARY_SIZE), rel=1e-6)


def test_it_is_the_mean_over_words_and_ends_whatever_the_batches() -> None:
    network = SmallNetwork(dropout=0.5)
    pairs = SmallBatches(pairs=9)
    logits = network((pairs.ids, pairs.ids)).numpy().astype(np.float64)
    log_probabilities = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    costs = [
        -log_probabilities[row, position, label]
        for row, ids in enumerate(pairs.ids)
        for position, label in enumerate([*ids[ids != 0], 2])
    ]
    for batch_size in (2, 9):
        batches = list(SmallBatches(pairs=9, batch_size=batch_size).epoch(0))
        assert validation(network, batches)()["loss"] == pytest.approx(np.mean(costs), rel=1e-5)


def test_no_token_has_no_perplexity() -> None:  # C31
    nothing = np.zeros([0, 1], np.int32)
    for batches in ([], [SmallBatch(nothing, nothing, np.zeros([0], np.int64))]):
        results = validation(SmallNetwork(), batches)()
        assert math.isnan(results["loss"])
        assert math.isnan(results["perplexity"])


def test_blank_targets_cost_their_end_symbols_only() -> None:  # C31
    network = SmallNetwork()
    source, blank = np.array([[5, 6], [7, 0]], np.int32), np.zeros([2, 2], np.int32)
    results = validation(network, [SmallBatch(source, blank, np.arange(2))])()
    logits = tf.nn.log_softmax(network((source, blank)))
    assert results["loss"] == pytest.approx(-float(tf.reduce_mean(logits[:, 0, 2])), rel=1e-5)
