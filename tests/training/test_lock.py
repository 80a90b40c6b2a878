"""One run at a time in one directory."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

import pytest

from tfnmt.errors import UserError
from tfnmt.training.lock import RunLock


def test_the_second_is_refused_and_told_who_is_there(tmp_path: Path) -> None:
    with RunLock(tmp_path / "new"), pytest.raises(UserError, match=f"process {os.getpid()}"), RunLock(tmp_path / "new"):
        pass


def test_a_file_system_without_locks_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(UserError, match="cannot be locked: No locks available"), RunLock(tmp_path):
        pass


def test_it_is_free_again_afterwards(tmp_path: Path) -> None:
    for _ in range(2):
        with RunLock(tmp_path):
            pass


def test_a_directory_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="cannot be written"), RunLock(tmp_path / "file"):
        pass
