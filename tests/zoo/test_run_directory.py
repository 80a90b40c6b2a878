"""A run directory is gone on with only by the run that it holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfnmt.errors import UserError
from tfnmt.zoo import shelf
from tfnmt.zoo.run_directory import RunDirectory


def test_a_new_directory_gets_the_effective_recipe(tmp_path: Path) -> None:
    recipe = shelf.load("rnnsearch50", "small", ["training.seed=5"])
    directory = RunDirectory(tmp_path / "runs" / "new")
    assert not directory.exists
    assert directory.open(recipe) == []
    assert shelf.load(str(directory.recipe_file)) == recipe
    assert directory.exists


def test_a_run_explains_each_of_its_files(tmp_path: Path) -> None:
    directory = RunDirectory(tmp_path)
    directory.open(shelf.load("rnnsearch50", "small"))
    text = directory.explanation.read_text(encoding="utf-8")
    assert text.startswith("One training run of RNNsearch-50")
    places = [path.name for path in vars(directory).values() if path not in (directory.path, directory.explanation)]
    assert [name for name in [*places, "vocabularies"] if name not in text] == []


def test_changed_options_are_listed_and_hold(tmp_path: Path) -> None:  # C64
    directory = RunDirectory(tmp_path)
    before = shelf.load("rnnsearch50", "small")
    directory.open(before)
    now = shelf.load("rnnsearch50", "small", ["training.minutes=9", "training.optimizer.learning_rate=0.1"])
    assert directory.open(now) == [
        "training.optimizer.learning_rate was 0.002, is 0.1",
        f"training.minutes was {before.training.minutes}, is 9.0",
    ]
    assert shelf.load(str(directory.recipe_file)) == now


@pytest.mark.parametrize("override", ["model.encoder.units=7", "training.seed=9", "corpus.batches.batch_size=8"])
def test_what_the_weights_depend_on_is_refused_by_name(tmp_path: Path, override: str) -> None:  # C64
    directory = RunDirectory(tmp_path)
    before = shelf.load("rnnsearch50", "small")
    directory.open(before)
    key, _, value = override.partition("=")
    with pytest.raises(UserError, match=rf"cannot change in mid-run:\n  {key} was \d+, is {value}\n"):
        directory.open(shelf.load("rnnsearch50", "small", [override, "training.minutes=9"]))
    assert shelf.load(str(directory.recipe_file)) == before


def test_a_directory_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(UserError, match="is not empty and holds no run"):
        RunDirectory(tmp_path).open(shelf.load("rnnsearch50"))
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
