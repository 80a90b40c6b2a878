"""Parts of a corpus with few distinct target words each, in training order (Jean et al. 2015, section 3.2)."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tfnmt.corpora.batches import Batches
from tfnmt.corpora.id_rows import Int32, Int64
from tfnmt.text.vocabulary import PAD


class VocabularyPart(NamedTuple):
    """Consecutive batches of an epoch and what they hold.

    Attributes:
        epoch, number: Which part it is, from 0.
        words: int32 `[words]`, ascending: the distinct target words of its batches.
    """

    epoch: int
    number: int
    words: Int32


class VocabularyParts:
    """Cuts each epoch's batches into parts of at most `size` distinct target words.

    Walks through the target side in training order and begins a new part with the batch whose words would be too
    many, so that a batch is in one part, as in the authors' code (the paper walks sentence by sentence). Only a part of
    a single batch may have more words. One pass over the ids, whose result is kept beside the encoded corpus and used
    again for every epoch and every run with the same batches; an epoch that is shuffled anew has parts of its own.

    Args:
        batches: The batches of the run.
        size: Most words of a part (the paper's tau).

    Raises:
        ValueError: the size is less than 1.
    """

    def __init__(self, batches: Batches, size: int) -> None:
        if size < 1:
            raise ValueError(f"A part needs room for at least 1 word, not {size}.")
        self.batches = batches
        self.size = size
        self._present: tuple[int, _Epoch] | None = None

    def part(self, epoch: int, batch: int) -> VocabularyPart:
        """The part that a batch of an epoch belongs to."""
        if self._present is None or self._present[0] != epoch:
            self._present = (epoch, self._of(epoch))
        parts = self._present[1]
        number = int(np.searchsorted(parts.first_batches, batch, side="right")) - 1
        return VocabularyPart(epoch, number, parts.words[parts.ends[number] : parts.ends[number + 1]])

    def count(self, epoch: int) -> int:
        """Parts of an epoch."""
        return len(self._of(epoch).first_batches)

    def _of(self, epoch: int) -> _Epoch:
        name = hashlib.sha256(f"{self.size}, {self.batches.fingerprint(epoch)}".encode()).hexdigest()[:32]
        path = self.batches.corpus.directory / f"parts-{name}.npz"
        kept = _read(path)
        if kept is None:
            kept = _cut((batch.target_ids for batch in self.batches.epoch(epoch)), self.size)
            _write(path, kept)
        return kept


class _Epoch(NamedTuple):
    """The parts of one epoch: their first batches `[parts]`, and the words of all, those of part i from end i on."""

    first_batches: Int64
    ends: Int64
    words: Int32


def _cut(batches: Iterable[Int32], size: int) -> _Epoch:
    first_batches: list[int] = []
    parts: list[Int32] = []
    part = _Words()
    for number, ids in enumerate(batches):
        here = np.unique(ids[ids != PAD]).astype(np.int32)
        if not first_batches or (part.count and part.count + len(part.lacking(here)) > size):
            first_batches.append(number)
            parts += [part.listed()] if number else []
            part.clear()
        part.add(here)
    parts += [part.listed()] if first_batches else []
    ends = np.cumsum([0, *(len(words) for words in parts)], dtype=np.int64)
    return _Epoch(np.array(first_batches, np.int64), ends, np.concatenate([np.zeros(0, np.int32), *parts]))


class _Words:
    """A set of word ids, whose cost for a batch is that of the batch's words."""

    def __init__(self) -> None:
        self.count = 0
        self._held = np.zeros(1024, bool)

    def lacking(self, words: Int32) -> Int32:
        """Those of `words`, ascending, that are not in it."""
        if len(words) and words[-1] >= len(self._held):
            self._held = np.pad(self._held, (0, max(len(self._held), int(words[-1]))))
        return words[~self._held[words]]

    def add(self, words: Int32) -> None:
        new = self.lacking(words)
        self._held[new] = True
        self.count += len(new)

    def clear(self) -> None:
        self._held[:] = False
        self.count = 0

    def listed(self) -> Int32:
        """Ascending."""
        return np.flatnonzero(self._held).astype(np.int32)


def _read(path: Path) -> _Epoch | None:
    """What was kept before, unless it is missing or damaged."""
    try:
        with np.load(path) as arrays:
            return _Epoch(**{name: arrays[name] for name in _Epoch._fields})
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None


def _write(path: Path, parts: _Epoch) -> None:
    """The file is whole or not there; without it, the parts are only cut again another time."""
    with contextlib.suppress(OSError), tempfile.TemporaryDirectory(dir=path.parent, prefix="parts-") as aside:
        np.savez(Path(aside, path.name), **parts._asdict())
        os.replace(Path(aside, path.name), path)
