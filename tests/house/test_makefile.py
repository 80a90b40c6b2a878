"""What `make` says before it can do anything."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from pathlib import Path

from tests.processes import ROOT


def make(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", "--no-print-directory", *arguments],
        cwd=directory, capture_output=True, text=True, check=False, env={**os.environ, "MAKEFLAGS": ""},
    )  # fmt: skip


def test_help_names_every_target() -> None:
    shown = make(ROOT).stdout
    for target in ("help", "demo", "test", "test-slow", "fuzz", "lint", "format", "clean"):
        assert f"make {target} " in shown


def test_an_old_python_is_refused_in_plain_words(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    old = tmp_path / "python3.9"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.9.2" && exit 0\nexit 1\n', encoding="utf-8")
    old.chmod(old.stat().st_mode | stat.S_IXUSR)
    process = make(tmp_path, "demo", f"PYTHON={old}")
    assert process.returncode != 0
    assert "tfnmt needs Python 3.11, 3.12 or 3.13" in process.stdout
    assert "is Python 3.9.2" in process.stdout
    assert not (tmp_path / ".venv").exists()


def test_continuous_integration_runs_the_tests() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert script.read_text(encoding="utf-8").splitlines()[-1] == "exec make test"
