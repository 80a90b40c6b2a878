"""The batches of a run in their order, from any position in the corpus on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from tfnmt.errors import UserError


class BatchSource(Protocol):
    """What the loop needs of `tfnmt.corpora.batches.Batches`; batches of several tasks name theirs by `task`."""

    def epoch(self, number: int, start: int = 0) -> Iterator[Any]:
        """The batches of an epoch in its order, without the first `start`."""
        ...

    def count(self, epoch: int) -> int:
        """How many batches an epoch has."""
        ...


@dataclass(frozen=True)
class TrainingBatch:
    """A batch, where it stands, and what can be counted in it before it is trained on."""

    source_ids: np.ndarray  # [batch, source] int32
    target_ids: np.ndarray  # [batch, target] int32
    pair_numbers: np.ndarray  # [batch], for the corpus to say where a pair comes from
    epoch: int  # from 0
    number: int  # from 0, in the epoch
    ends_epoch: bool
    task: str | None = None  # the one that it is for, where the network has several

    @property
    def sentences(self) -> int:
        return len(self.source_ids)

    @property
    def target_words(self) -> int:
        """Target words (or pieces of words, as the tokenizer has it), end symbols not counted."""
        return int(np.count_nonzero(self.target_ids))

    @property
    def padding_share(self) -> float:
        """The padded part of the cells of both sides."""
        cells = self.source_ids.size + self.target_ids.size
        return 1.0 - (np.count_nonzero(self.source_ids) + self.target_words) / cells if cells else 0.0


def training_stream(batches: BatchSource, epoch: int = 0, batch: int = 0) -> Iterator[TrainingBatch]:
    """All batches from batch number `batch` of `epoch` on, epoch after epoch, without an end.

    Raises:
        UserError: an epoch has no batch at all.
    """
    while True:
        ahead = batches.epoch(epoch, batch)
        present = next(ahead, None)
        if present is None and batch == 0:
            raise UserError("The training corpus is empty: no sentence pair was left to train on.")
        while present is not None:
            following = next(ahead, None)
            task = getattr(present, "task", None)
            ids = present.source_ids, present.target_ids, present.pair_numbers
            yield TrainingBatch(*ids, epoch, batch, following is None, task)
            present = following
            batch += 1
        epoch, batch = epoch + 1, 0
