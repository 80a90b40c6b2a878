"""What a run tells goes to the terminal and into its log."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.table import Table

from tests.training.test_progress import told
from tfnmt.zoo.journal import Journal


def test_everything_told_is_shown_and_logged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = Table("kept")
    table.add_row("20,000")
    with Journal(tmp_path / "log.txt") as tell:
        tell("New run in [runs/x]")
        tell(table)
        for observer in tell.progress():
            told(observer)
    shown, logged = capsys.readouterr().out, (tmp_path / "log.txt").read_text(encoding="utf-8")
    for text in (shown, logged):
        assert "New run in [runs/x]" in text
        assert "20,000" in text
        assert text.count("Training finished: step 1 of 1") == 1


def test_a_terminal_has_a_bar_and_the_log_plain_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with Journal(tmp_path / "log.txt") as tell:
        for observer in tell.progress():
            told(observer)
    assert "\x1b[" in capsys.readouterr().out
    logged = (tmp_path / "log.txt").read_text(encoding="utf-8")
    assert "\x1b" not in logged
    assert "Training begins: 12,345 weights" in logged


def test_a_log_is_gone_on_with(tmp_path: Path) -> None:
    for line in ("first", "second"):
        with Journal(tmp_path / "log.txt") as tell:
            tell(line)
    assert (tmp_path / "log.txt").read_text(encoding="utf-8").split() == ["first", "second"]
