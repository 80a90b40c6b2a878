"""One run at a time in one directory."""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import IO

from tfnmt.errors import UserError


class RunLock:
    """Held inside its `with` block. The system frees it when the process ends, however it ends.

    Args:
        directory: of the run; made if need be.

    Raises:
        UserError: on entering, when another process holds it or the directory cannot be written.
    """

    def __init__(self, directory: Path) -> None:
        self.path = directory / "lock"
        self._file: IO[str] | None = None

    def __enter__(self) -> RunLock:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("a+", encoding="utf-8")
        except OSError as error:
            raise UserError(f"The directory '{self.path.parent}' cannot be written: {error.strerror}.") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self._file.seek(0)
            holder = self._file.read().strip() or "unknown"
            self._file.close()
            raise UserError(
                f"Another run is training in '{self.path.parent}' (process {holder}). Wait for it, stop it, or name "
                f"another directory."
            ) from error
        except OSError as error:
            self._file.close()
            raise UserError(
                f"'{self.path}' cannot be locked: {error.strerror}. Two runs in one directory would spoil each other: "
                "it must lie on a file system with locks."
            ) from error
        with contextlib.suppress(OSError):  # who holds it is a courtesy; a full disk must not end the run here
            self._file.truncate(0)
            self._file.write(str(os.getpid()))
            self._file.flush()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
