"""Rows of token ids of any length, kept in two flat files that are mapped into memory."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]


def _paths(stem: Path) -> tuple[Path, Path]:
    """Files of the ids of all rows one after the other (int32), and of the place where each row ends (int64)."""
    return stem.with_suffix(".ids"), stem.with_suffix(".ends")


class IdRowsWriter:
    """Appends rows to `<stem>.ids` and `<stem>.ends`; a context manager."""

    def __init__(self, stem: Path) -> None:
        with ExitStack() as stack:
            self._ids, self._ends = (stack.enter_context(path.open("wb")) for path in _paths(stem))
            self._files = stack.pop_all()
        self._end = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._files.close()

    def append(self, ids: Int32, lengths: Int64) -> None:
        """Append rows.

        Args:
            ids: `[tokens]`, row after row.
            lengths: `[rows]`, tokens of each row.
        """
        ends = self._end + np.cumsum(lengths, dtype=np.int64)
        self._ids.write(np.ascontiguousarray(ids, np.int32).tobytes())
        self._ends.write(ends.tobytes())
        self._end += int(np.sum(lengths))


class IdRows:
    """The rows that an `IdRowsWriter` wrote; opening them costs the same however many there are."""

    def __init__(self, stem: Path) -> None:
        self._ids, self._ends = (
            # np.memmap cannot map an empty file
            np.asarray(np.memmap(path, dtype, mode="r")) if path.stat().st_size else np.zeros(0, dtype)
            for path, dtype in zip(_paths(stem), (np.int32, np.int64), strict=True)
        )

    def __len__(self) -> int:
        return len(self._ends)

    @property
    def tokens(self) -> int:
        """Tokens of all rows."""
        return int(self._ends[-1]) if len(self) else 0

    @property
    def complete(self) -> bool:
        """Whether the two files belong together: false if one was cut short."""
        return self.tokens == len(self._ids)

    def lengths(self, numbers: Int64) -> Int64:
        """Tokens of each of the numbered rows, `[rows]`."""
        return self._ends[numbers] - self._starts(numbers)

    def padded(self, numbers: Int64) -> Int32:
        """The numbered rows, `[rows, longest of them]`, padded with 0 on the right."""
        lengths = self.lengths(numbers)
        positions = np.arange(lengths.max(initial=0))
        real = positions < lengths[:, None]  # [rows, longest]
        rows = np.zeros(real.shape, np.int32)
        rows[real] = self._ids[(self._starts(numbers)[:, None] + positions)[real]]
        return rows

    def _starts(self, numbers: Int64) -> Int64:
        return np.where(numbers > 0, self._ends[numbers - 1], 0)
