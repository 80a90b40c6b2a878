"""`tfnmt curves`: figures are read as runs write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.copy_run import CopyRun
from tfnmt.errors import UserError
from tfnmt.zoo import curves


def metrics(directory: Path, *lines: dict[str, Any]) -> str:
    directory.mkdir(parents=True)
    (directory / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(directory)


def training(step: int, seconds: float) -> dict[str, Any]:
    return {"kind": "training", "step": step, "seconds_spent": seconds}


def validation(step: int, loss: float | None) -> dict[str, Any]:
    return {"kind": "validation", "step": step, "is_best": True, "loss": loss, "bleu": 10.0 * step}


def test_each_validation_is_a_point_and_the_last_word_counts(tmp_path: Path) -> None:
    lines = [training(50, 60.0), validation(75, 3.0), training(100, 120.0), validation(150, 9.0)]
    again = [
        training(100, 150.0),
        validation(125, 2.0),
        training(150, 210.0),
        validation(150, 1.5),
        validation(200, None),
    ]
    run = metrics(tmp_path / "run", *lines, *again)
    curve = curves.read(run, "loss")
    assert curve.updates == [75, 125, 150] and curve.values == [3.0, 2.0, 1.5]
    assert curve.minutes == pytest.approx([1 + (2.5 - 1) / 2, 3.0, 3.5])
    assert curves.read(run, "bleu").values[0] == 750


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    begun = metrics(tmp_path / "begun", training(50, 1.0))
    measured = metrics(tmp_path / "measured", validation(50, 1.0))
    for run, measure, message in (
        (str(tmp_path), "loss", "is no run with figures"),
        (begun, "loss", "has no validation yet"),
        (measured, "blue", "measures no 'blue'. Did you mean 'bleu'?"),
    ):
        with pytest.raises(UserError) as raised:
            curves.read(run, measure)
        assert message in str(raised.value)


@pytest.mark.parametrize("across", ["updates", "minutes"])
def test_several_runs_are_one_picture(copy_run: CopyRun, tmp_path: Path, across: str) -> None:
    other = metrics(tmp_path / "other", training(60, 9.0), validation(60, 1.0), validation(120, 0.5))
    picture = tmp_path / "made" / "fig5.png"
    arguments = [f"copy={copy_run.directory}", other, "--output", str(picture), "--across", across]
    result = CliRunner().invoke(curves.command, arguments)
    assert result.exit_code == 0, result.output
    assert result.stdout == f"2 learning curves in {picture}\n"
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert curves.read(str(copy_run.directory), "loss").updates == [60, 120]
    twice = CliRunner().invoke(curves.command, [other, other])
    assert twice.exit_code == 1 and "give each a name of its own" in twice.stderr
