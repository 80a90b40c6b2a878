"""A trained translator is found, or it is said what there is instead."""

from __future__ import annotations

from pathlib import Path

import keras
import pytest

from tests.copy_run import CopyRun
from tfnmt.errors import UserError
from tfnmt.zoo import shelf, translators
from tfnmt.zoo.run_directory import RunDirectory


def test_a_run_and_its_file_are_both_found(copy_run: CopyRun) -> None:
    path = copy_run.directory / "translator.keras"
    assert translators.find(str(copy_run.directory)) == translators.find(str(path)) == path


def test_what_is_no_translator_is_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    RunDirectory("runs/begun").open(shelf.load("rnnsearch50"))
    (tmp_path / "runs" / "done").mkdir()
    (tmp_path / "runs" / "done" / "translator.keras").touch()
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")
    for model, message in {
        "rnnsearch50": "is a recipe, not a trained model. Train it first: tfnmt train rnnsearch50",
        "runs/begun": "has no translator yet",
        "runs/don": "Did you mean 'runs/done'?",
        "notes.txt": "'notes.txt' is not a `.keras` file",
    }.items():
        with pytest.raises(UserError) as raised:
            translators.find(model)
        assert message in str(raised.value)


def test_another_keras_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.keras"
    keras.Sequential([keras.layers.Input([2]), keras.layers.Dense(1)]).save(path)
    with pytest.raises(UserError, match="holds a Sequential, not a translator"):
        translators.load(str(path))
