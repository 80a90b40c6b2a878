"""What runs of all kinds make ready alike."""

from __future__ import annotations

from pathlib import Path

import pytest
import tensorflow as tf

from tfnmt.errors import UserError
from tfnmt.zoo import shelf
from tfnmt.zoo.journal import Journal
from tfnmt.zoo.preparation import Run, named
from tfnmt.zoo.run_directory import RunDirectory


@pytest.fixture
def run(tmp_path: Path) -> Run:
    recipe = shelf.load("rnnsearch50", "small", ["source.minimum_count=1", "training.precision=mixed_bfloat16"])
    directory = RunDirectory(tmp_path / "run")
    directory.open(recipe)
    return Run(recipe, directory, Journal(directory.log), tf.distribute.get_strategy())


def test_a_vocabulary_is_learnt_once_and_then_kept(run: Run) -> None:  # C20
    learnt = run.tokenizer("source", run.recipe.source, ["a b", "b"])
    kept = run.tokenizer("source", run.recipe.source, ["c d e"])
    assert kept.vocabulary.entries == learnt.vocabulary.entries == ("b", "a")
    file = run.directory.vocabulary("source") / "vocabulary.txt"
    file.write_text("a\nb\n", encoding="utf-8")
    with pytest.raises(UserError, match="The source vocabulary in"):
        run.tokenizer("source", run.recipe.source, [])


def test_layers_are_made_in_the_recipe_s_precision_only_inside(run: Run) -> None:
    import keras

    with run.making_layers():
        assert keras.layers.Dense(1).compute_dtype == "bfloat16"
    assert keras.layers.Dense(1).compute_dtype == "float32"


def test_a_run_starts_from_nothing_unless_its_recipe_says_so(run: Run) -> None:
    assert run.start() is None


def test_results_can_be_named_after_their_language() -> None:
    assert named(lambda: {"loss": 1.0, "perplexity": 2.0}, "de")() == {"loss de": 1.0, "perplexity de": 2.0}
