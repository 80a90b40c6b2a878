"""`tfnmt score`."""

from __future__ import annotations

import json
import math
from pathlib import Path

import keras
import pytest
from click.testing import CliRunner

from tests.copy_run import CopyRun, copy_sentences
from tfnmt.zoo import score

KNOWN = copy_sentences()
SOURCES = [KNOWN[0], KNOWN[1], KNOWN[2]]
TARGETS = [KNOWN[0], "w4 w3", ""]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    for name, lines in (("s.en", SOURCES), ("t.de", TARGETS)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return ["--source", str(tmp_path / "s.en"), "--target", str(tmp_path / "t.de")]


def test_each_pair_has_its_log_probability(copy_run: CopyRun, files: list[str]) -> None:
    result = CliRunner().invoke(score.command, [str(copy_run.directory), *files])
    assert result.exit_code == 0, result.output
    translator = keras.models.load_model(copy_run.directory / "translator.keras")
    scores = [float(line) for line in result.stdout.splitlines()]
    assert scores == pytest.approx(translator.score(SOURCES, TARGETS), abs=1e-4)
    assert scores[0] > math.log(0.9) > scores[1]


def test_a_program_reads_json(copy_run: CopyRun, files: list[str]) -> None:
    report = json.loads(CliRunner().invoke(score.command, [str(copy_run.directory), *files, "--json"]).stdout)
    assert report["sum"] == pytest.approx(sum(report["log_probabilities"]))
    words_and_ends = (len(KNOWN[0].split()) + 1) + (2 + 1) + (0 + 1)
    assert report["perplexity"] == pytest.approx(math.exp(-report["sum"] / words_and_ends))
