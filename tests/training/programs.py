"""Runs a program of this directory in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def started(name: str, *arguments: object) -> subprocess.Popen[str]:
    """The running program; its output comes line by line."""
    environment = {**os.environ, "PYTHONPATH": str(HERE.parents[1]), "TF_CPP_MIN_LOG_LEVEL": "3"}
    command = [sys.executable, "-u", str(HERE / name), *map(str, arguments)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def output(program: subprocess.Popen[str]) -> list[str]:
    """The lines it has yet to print; it must end well."""
    lines, errors = program.communicate(timeout=300)
    assert program.returncode == 0, errors
    return lines.splitlines()
