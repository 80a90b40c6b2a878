"""Batches of several corpora in turn, one task after the other."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import NamedTuple

from tfnmt.corpora.batches import Batch, Batches
from tfnmt.corpora.id_rows import Int32, Int64


class TaskBatch(NamedTuple):
    """A batch that knows which task it is for.

    Attributes:
        source_ids: `[batch, source]` int32, as in `Batch`.
        target_ids: `[batch, target]` int32, alike.
        pair_numbers: `[batch]` int64, for `AlternatingBatches.where`.
        task: name of the task.
    """

    source_ids: Int32
    target_ids: Int32
    pair_numbers: Int64
    task: str


class AlternatingBatches:
    """Goes through the corpora of several tasks in turn (Dong et al. 2015): some minibatches of one, then of the next.

    Every task gets the same number of minibatches, whatever the size of its corpus, which is what the paper's objective
    asks for, where each corpus counts as its mean. An epoch gives each task as many as the largest corpus has; a
    smaller one begins its next own epoch, shuffled anew, as often as need be. The batches are a pure function of the
    arguments, the epoch and the place in it, so that a position in training is two integers here, too.

    Args:
        batches: the batches of each task by name, in the order in which the tasks take turns.
        consecutive: minibatches of a task before it is the next one's turn (the paper's number is not known).
    """

    def __init__(self, batches: Mapping[str, Batches], consecutive: int = 1) -> None:
        if not batches or consecutive < 1:
            raise ValueError(f"One task and one minibatch in turn at least; got {list(batches)}, {consecutive=}.")
        self.batches = dict(batches)
        self.consecutive = consecutive
        self._tasks = tuple(self.batches)
        self._rounds = -(-max(task.count(0) for task in self.batches.values()) // consecutive)
        self._first_numbers = list(accumulate((len(task.corpus) for task in self.batches.values()), initial=0))

    def count(self, epoch: int) -> int:
        """Batches of an epoch, the same for all."""
        return self._rounds * self.consecutive * len(self._tasks)

    def epoch(self, number: int, start: int = 0) -> Iterator[TaskBatch]:
        """The batches of an epoch from batch `start` on: exactly those that the whole epoch has there."""
        before = number * self._rounds * self.consecutive
        streams = [
            _from(self.batches[task], before + self._done(place, start)) for place, task in enumerate(self._tasks)
        ]
        for turn in range(start, self.count(number)):
            place = turn // self.consecutive % len(self._tasks)
            batch = next(streams[place])
            yield TaskBatch(
                batch.source_ids,
                batch.target_ids,
                batch.pair_numbers + self._first_numbers[place],
                self._tasks[place],
            )

    def where(self, pair_number: int) -> str:
        """The file and line of a pair, its number as the batches give it."""
        place = bisect_right(self._first_numbers, pair_number) - 1
        corpus = self.batches[self._tasks[place]].corpus
        return corpus.where(pair_number - self._first_numbers[place])

    def _done(self, place: int, turns: int) -> int:
        """How many of the first `turns` batches of an epoch are those of the task at `place`."""
        rounds, rest = divmod(turns, self.consecutive * len(self._tasks))
        return rounds * self.consecutive + min(max(rest - place * self.consecutive, 0), self.consecutive)


def _from(batches: Batches, position: int) -> Iterator[Batch]:
    """A task's batches, one own epoch after the other, without the first `position` of them all."""
    epoch = 0
    while position >= (count := batches.count(epoch)):
        position -= count
        epoch += 1
    while True:
        yield from batches.epoch(epoch, position)
        epoch, position = epoch + 1, 0
