"""Orders are permutations that differ as they should and can be entered anywhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tfnmt.corpora.order import InOrder, Order, ShuffledEachEpoch, ShuffledOnce

ORDERS = [ShuffledEachEpoch(3), ShuffledOnce(3), InOrder()]


def whole(order: Order, epoch: int, size: int) -> list[int]:
    return order.numbers(epoch, size, 0, size).tolist()


@settings(deadline=None)  # the first example also warms TensorFlow up
@given(st.sampled_from(ORDERS), st.integers(0, 2**31 - 1), st.integers(1, 300), st.data())
def test_every_number_once_and_any_stretch_is_a_slice(order: Order, epoch: int, size: int, data: st.DataObject) -> None:
    numbers = whole(order, epoch, size)
    assert sorted(numbers) == list(range(size))
    start = data.draw(st.integers(0, size))
    stop = data.draw(st.integers(start, size))
    assert order.numbers(epoch, size, start, stop).tolist() == numbers[start:stop]


# C23
def test_epochs_and_seeds_differ_and_repeat() -> None:
    orders = [whole(ShuffledEachEpoch(seed), epoch, 1000) for seed in (1, 2) for epoch in (0, 1)]
    assert len({tuple(order) for order in orders}) == 4
    assert whole(ShuffledEachEpoch(1), 1, 1000) == orders[1]


def test_shuffled_once_is_the_same_each_epoch_and_shuffled() -> None:
    first = whole(ShuffledOnce(1), 0, 1000)
    assert whole(ShuffledOnce(1), 7, 1000) == first
    assert first != list(range(1000))
    assert first != whole(ShuffledOnce(2), 0, 1000)


@pytest.mark.parametrize("seed", [1, 2])
def test_shuffling_leaves_no_trace_of_the_corpus_order(seed: int) -> None:
    numbers = ShuffledEachEpoch(seed).numbers(0, 10_000, 0, 10_000)
    # of independent ranks the correlation has a standard deviation of 0.01
    assert abs(np.corrcoef(numbers, np.arange(10_000))[0, 1]) < 0.05
    assert abs(np.corrcoef(numbers[1:], numbers[:-1])[0, 1]) < 0.05


def test_order_of_a_huge_corpus_needs_no_memory_for_it() -> None:
    size = 10**12
    numbers = ShuffledEachEpoch(1).numbers(0, size, size - 1000, size)
    assert len(set(numbers.tolist())) == 1000
    assert numbers.min() >= 0
    assert numbers.max() < size
    assert 0.4 < np.mean(numbers / size) < 0.6
