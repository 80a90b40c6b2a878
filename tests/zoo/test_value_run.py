"""A run that judges a trained RNNsearch: it needs one, and searches by what it learnt."""

from __future__ import annotations

from pathlib import Path

import pytest
import tensorflow as tf

from tests.zoo.several_languages import NARROW, QUICK, overrides, succeeded, write
from tfnmt.errors import UserError
from tfnmt.zoo import shelf, translators, value_run
from tfnmt.zoo.journal import Journal
from tfnmt.zoo.model_use import ModelUse
from tfnmt.zoo.preparation import Run
from tfnmt.zoo.run_directory import RunDirectory


def test_without_an_rnnsearch_there_is_nothing_to_judge(tmp_path: Path) -> None:
    recipe = shelf.load("rnnsearch_value")
    directory = RunDirectory(tmp_path / "run")
    directory.open(recipe)
    with pytest.raises(UserError, match=r"judges a trained RNNsearch: name its run by --start.*train rnnsearch50"):
        value_run.prepare(Run(recipe, directory, Journal(directory.log), tf.distribute.get_strategy()))


@pytest.mark.slow
def test_a_value_network_is_trained_resumed_and_asked_or_not(tmp_path: Path) -> None:
    data, policy, run = write(tmp_path), str(tmp_path / "policy"), str(tmp_path / "value")
    files = ["--data", str(data), "--languages", "en-fr"]
    options = overrides(*NARROW, *QUICK, "training.steps=60")
    succeeded("train", "rnnsearch50", "--profile", "small", *files, "--run", policy, *options)
    sizes = ["model.semantic_matching.units=8", "model.context_coverage.units=8", "training.rollouts.completions=3"]
    train = ["train", "rnnsearch_value", "--profile", "small", "--start", policy, "--run"]
    whole = overrides(*sizes, *QUICK[2:], "training.validation_steps=10", "training.steps=20")
    said = succeeded(*train, run, *whole)
    assert "ranking loss" in said and "ranking accuracy" in said

    resumed = str(tmp_path / "resumed")
    succeeded(*train, resumed, *whole[:-1], "training.steps=10")
    (tmp_path / "policy").rename(tmp_path / "moved")  # the run has its own copy
    succeeded("train", resumed, "--resume", "--set", "training.steps=20")

    def weights(directory: str) -> list[tf.Tensor]:
        checkpoint = tf.train.latest_checkpoint(f"{directory}/checkpoints/last")
        names = [name for name, _ in tf.train.list_variables(checkpoint) if name.startswith("network/")]
        return [tf.train.load_variable(checkpoint, name) for name in sorted(names)]

    assert all((one == other).all() for one, other in zip(weights(run), weights(resumed), strict=True))

    sentences = ["w1 w2 w3", "w4 w5 w6 w7", "w8 w9"]
    plain = translators.load(str(tmp_path / "moved")).translate(sentences, n_best=3)
    unguided = translators.load(run, ModelUse(alpha=1.0)).translate(sentences, n_best=3)
    assert [[one.text for one in best] for best in unguided] == [[one.text for one in best] for best in plain]
    guided = translators.load(run, ModelUse(alpha=0.5)).translate(sentences, n_best=3)
    assert [best[0].score for best in guided] != [best[0].score for best in plain]
    with pytest.raises(UserError, match="--alpha is for a model with a value network"):
        translators.load(str(tmp_path / "moved"), ModelUse(alpha=0.5))
