"""A trained translator is found, or it is said what there is instead."""

from __future__ import annotations

import shutil
from pathlib import Path

import keras
import pytest
from click.testing import CliRunner

from tests.copy_run import CopyRun
from tfnmt.errors import UserError
from tfnmt.models.combination import MeanOfLogProbabilities, MeanOfProbabilities
from tfnmt.models.ensemble import Ensemble
from tfnmt.zoo import shelf, translate, translators
from tfnmt.zoo.model_use import ModelUse
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


def test_models_with_commas_between_them_are_one(copy_run: CopyRun, tmp_path: Path) -> None:
    path = copy_run.directory / "translator.keras"
    both = f"{copy_run.directory},{path}"
    assert translators.find_all(both) == [path, path]
    source = tmp_path / "s.en"
    source.write_text("w1 w2\n\nw3 Zyx\n", encoding="utf-8")
    alone, twice = (CliRunner().invoke(translate.command, [model, str(source)]) for model in (str(path), both))
    assert twice.exit_code == 0, twice.output
    assert twice.stdout == alone.stdout
    for name, way in (("log-probabilities", MeanOfLogProbabilities), ("probabilities", MeanOfProbabilities)):
        network = translators.load(both, ModelUse(combination=name)).network
        assert isinstance(network, Ensemble) and isinstance(network.combination, way)
    odd = tmp_path / "a,b.keras"
    shutil.copy(path, odd)
    assert translators.find_all(str(odd)) == [odd]
    missing = CliRunner().invoke(translate.command, [f"{path},nothing", str(source)])
    assert missing.exit_code == 1 and "There is no trained model 'nothing'" in missing.stderr
