"""Python in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
"""The top directory of this repository."""


class Ended(NamedTuple):
    """A process that has ended."""

    code: int
    said: str
    complained: str

    def output(self) -> str:
        """What it said; it must have ended well."""
        assert self.code == 0, self.said + self.complained
        return self.said


def environment(**changes: str | None) -> dict[str, str]:
    """Ours, with this repository to import from; what is changed to None is left out."""
    wanted = {**os.environ, "PYTHONPATH": str(ROOT), **changes}
    return {name: value for name, value in wanted.items() if value is not None}


def started(
    *arguments: object, cwd: Path = ROOT, before: Callable[[], None] | None = None, **changes: str | None
) -> subprocess.Popen[str]:
    """`python ARGUMENTS`, running; it does something `before` anything else. See `environment` for the changes."""
    return subprocess.Popen(
        [sys.executable, *map(str, arguments)], cwd=cwd, preexec_fn=before, env=environment(**changes),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
    )  # fmt: skip


def ended(process: subprocess.Popen[str], text: str = "", seconds: float = 900) -> Ended:
    """What a process said until its end, which must come within these seconds, given this text to read."""
    said, complained = process.communicate(text, timeout=seconds)
    return Ended(process.returncode, said, complained)


def python(*arguments: object, cwd: Path = ROOT, text: str = "", **changes: str | None) -> Ended:
    """What `python ARGUMENTS` did, given this text to read. See `environment` for the changes."""
    return ended(started(*arguments, cwd=cwd, **changes), text)
