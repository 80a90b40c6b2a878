from __future__ import annotations

from pathlib import Path

import pytest

from tfnmt.errors import UserError
from tfnmt.text.text_lines import numbered_lines


def test_only_a_line_feed_ends_a_line(tmp_path: Path):
    (tmp_path / "file").write_bytes("\ufeffa\u2028b\r\n\x85c\rd\n\nlast".encode())
    assert list(numbered_lines(tmp_path / "file")) == [(1, "a\u2028b"), (2, "\x85c\rd"), (3, ""), (4, "last")]


def test_bytes_that_are_not_utf8_are_named(tmp_path: Path):
    (tmp_path / "file").write_bytes(b"fine\nca\xe9\n")
    with pytest.raises(UserError, match=r"file, line 2: not valid UTF-8 at byte 3"):
        list(numbered_lines(tmp_path / "file"))


def test_a_missing_file_is_named(tmp_path: Path):
    with pytest.raises(UserError, match=r"Cannot read .*nowhere: No such file"):
        list(numbered_lines(tmp_path / "nowhere"))
