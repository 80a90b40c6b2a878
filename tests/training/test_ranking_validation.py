"""The ranking loss and accuracy of held-out pairs, by the value of each prefix."""

from __future__ import annotations

import numpy as np
import pytest

from tests.models.networks import SOURCE_IDS, judging, padded
from tfnmt.corpora.batches import Batch
from tfnmt.training.ranking_validation import RankingValidation

NETWORK = judging()


def test_loss_and_accuracy_are_over_all_pairs() -> None:
    better = padded([[7, 4], [5], [8], [9], [4]])
    worse = padded([[4, 4], [6], [9], [5], [10]])
    values = np.array(NETWORK((SOURCE_IDS, better))), np.array(NETWORK((SOURCE_IDS, worse)))
    rows = np.concatenate([better, worse], axis=1)
    numbers = np.arange(5)
    batches = [
        Batch(SOURCE_IDS[:3], rows[:3], numbers[:3]),
        Batch(SOURCE_IDS[:0], rows[:0], numbers[:0]),
        Batch(SOURCE_IDS[3:], rows[3:], numbers[3:]),
    ]
    found = RankingValidation(NETWORK, batches)()
    assert found["ranking loss"] == pytest.approx(np.mean(np.exp(values[1] - values[0])), abs=1e-6)
    assert found["ranking accuracy"] == pytest.approx(np.mean(values[0] > values[1]))


def test_without_a_pair_nothing_is_known() -> None:
    assert np.isnan(RankingValidation(NETWORK, [])()["ranking loss"])
