"""The batches of a run in their order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np
import pytest

from tests.training.stand_in import SmallBatch, SmallBatches
from tfnmt.errors import UserError
from tfnmt.training.stream import TrainingBatch, training_stream


def test_each_epoch_has_every_pair_once_in_an_order_of_its_own() -> None:  # C23
    batches = list(islice(training_stream(SmallBatches(pairs=100, batch_size=10)), 20))
    first, second = ([n for b in batches[i : i + 10] for n in b.pair_numbers] for i in (0, 10))
    assert sorted(first) == sorted(second) == list(range(100))
    assert first != second
    assert [(b.epoch, b.number, b.ends_epoch) for b in batches[8:12]] == [
        (0, 8, False), (0, 9, True), (1, 0, False), (1, 1, False),
    ]  # fmt: skip


@pytest.mark.parametrize("used", [0, 3, 9, 10, 14])
def test_it_goes_on_from_any_position(used: int) -> None:
    def numbers(stream: Iterator[TrainingBatch], count: int) -> list[list[int]]:
        return [batch.pair_numbers.tolist() for batch in islice(stream, count)]

    source = SmallBatches(pairs=50, batch_size=5)
    whole = numbers(training_stream(source), 25)
    assert numbers(training_stream(source, used // 10, used % 10), 25 - used) == whole[used:]


def test_a_batch_of_one_task_of_several_keeps_its_name() -> None:
    class OfTask(NamedTuple):
        source_ids: np.ndarray
        target_ids: np.ndarray
        pair_numbers: np.ndarray
        task: str

    class Tasks(SmallBatches):
        def epoch(self, number: int, start: int = 0) -> Iterator[OfTask]:
            return (OfTask(*batch, task=f"task {place}") for place, batch in enumerate(super().epoch(number, start)))

    source = Tasks(pairs=20, batch_size=10)
    assert [batch.task for batch in islice(training_stream(source), 3)] == ["task 0", "task 1", "task 0"]
    assert next(training_stream(SmallBatches())).task is None


def test_words_and_padding_are_counted() -> None:
    source, target = np.array([[4, 5, 6], [7, 0, 0]], np.int32), np.array([[4, 0], [5, 6]], np.int32)
    batch = TrainingBatch(source, target, np.arange(2), 0, 0, True)
    assert (batch.sentences, batch.target_words) == (2, 3)
    assert batch.padding_share == pytest.approx(3 / 10)


def test_an_empty_corpus_is_refused() -> None:
    class Nothing(SmallBatches):
        def epoch(self, number: int, start: int = 0) -> Iterator[SmallBatch]:
            return iter(())

    with pytest.raises(UserError, match="empty"):
        next(training_stream(Nothing()))
