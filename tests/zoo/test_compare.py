"""`tfnmt compare`: the same sentences by several systems."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.copy_run import CopyRun, copy_sentences
from tfnmt.zoo import compare

KNOWN = copy_sentences()[:6]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    texts = {"s.en": KNOWN, "r.de": KNOWN, "other.de": [f"other {number}" for number in range(6)], "short.de": ["x"]}
    for name, lines in texts.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return {name: str(tmp_path / name) for name in texts}


def test_models_and_files_stand_side_by_side(copy_run: CopyRun, files: dict[str, str]) -> None:
    arguments = [f"best={copy_run.directory}", f"base={files['other.de']}", "--source", files["s.en"]]
    arguments += ["--reference", files["r.de"], "--lines", "2,5"]
    result = CliRunner().invoke(compare.command, arguments)
    assert result.exit_code == 0, result.output
    blocks = result.stdout.split("\n\n")
    assert blocks[0].splitlines() == [
        "line 2",
        f"  source     {KNOWN[1]}",
        f"  reference  {KNOWN[1]}",
        f"  best       {KNOWN[1]}",
        "  base       other 1",
    ]
    rows = [
        json.loads(line) for line in CliRunner().invoke(compare.command, [*arguments, "--json"]).stdout.splitlines()
    ]
    assert [row["line"] for row in rows] == [2, 5]
    assert rows[1]["translations"] == {"best": KNOWN[4], "base": "other 4"}


def test_the_same_lines_are_drawn_again(files: dict[str, str]) -> None:
    arguments = [files["other.de"], "--source", files["s.en"], "--limit", "3"]
    first, second = (CliRunner().invoke(compare.command, arguments).stdout for _ in range(2))
    assert first == second and first.count("line ") == 3


def test_mistakes_are_explained(files: dict[str, str]) -> None:
    for arguments, message in (
        ([files["short.de"], "--source", files["s.en"]], "short.de' has 1"),
        ([files["other.de"], "--source", files["s.en"], "--lines", "0,9"], "expected numbers from 1 to 6"),
        (["nothing", "--source", files["s.en"]], "There is no trained model 'nothing'"),
    ):
        result = CliRunner().invoke(compare.command, arguments)
        assert result.exit_code == 1
        assert message in result.stderr
