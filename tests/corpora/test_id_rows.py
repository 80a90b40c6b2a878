"""Rows come back from disk as they went in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tfnmt.corpora.id_rows import IdRows, IdRowsWriter

ROWS = st.lists(st.lists(st.integers(4, 2**31 - 1), max_size=6), max_size=20)


@settings(deadline=None)  # it writes files
@given(ROWS, st.integers(1, 5), st.data())
def test_rows_written_in_chunks(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[int]], chunk: int, data: st.DataObject
) -> None:
    stem = tmp_path_factory.mktemp("rows") / "source"
    with IdRowsWriter(stem) as writer:
        for start in range(0, len(rows), chunk):
            some = rows[start : start + chunk]
            writer.append(np.array([token for row in some for token in row], np.int32), np.array([*map(len, some)]))
    stored = IdRows(stem)
    assert len(stored) == len(rows)
    assert stored.tokens == sum(map(len, rows))
    assert stored.complete
    if not rows:
        return
    numbers = np.array(data.draw(st.lists(st.integers(0, len(rows) - 1), min_size=1, max_size=8)), np.int64)
    chosen = [rows[number] for number in numbers]
    longest = max(map(len, chosen))
    assert stored.lengths(numbers).tolist() == [len(row) for row in chosen]
    assert stored.padded(numbers).tolist() == [row + [0] * (longest - len(row)) for row in chosen]
    assert stored.padded(numbers).dtype == np.int32


def test_file_that_was_cut_short_is_noticed(tmp_path: Path) -> None:
    with IdRowsWriter(tmp_path / "source") as writer:
        writer.append(np.array([4, 5, 6], np.int32), np.array([1, 2]))
    ids = tmp_path / "source.ids"
    ids.write_bytes(ids.read_bytes()[:-4])
    assert not IdRows(tmp_path / "source").complete
