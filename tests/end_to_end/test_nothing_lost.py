"""What can happen to a run from outside, through the real command: it loses nothing, and says what to do."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import time
from pathlib import Path

import numpy as np
import pytest

from tests.end_to_end.tiny_runs import arguments, corpus, last_step, validation_losses, weights
from tests.processes import Ended, ended, python, started
from tests.warm_starts import run_warm

EVERY_STEP = "training.save_steps=1"
LANES = "training.lanes=2"  # parts of a batch at the same time, each of which draws its own dropout
DROPOUT = "model.decoder.readout.dropout=0.2"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return corpus(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def finished(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of twelve steps that nothing happened to."""
    directory = tmp_path_factory.mktemp("runs") / "undisturbed"
    run_warm("-m", "tfnmt", *command(data, directory, 12)).output()
    return directory


def command(data: Path, directory: Path, steps: int, *more: str) -> list[str]:
    limits = [f"training.steps={steps}", "training.epochs=100000", "training.validation_steps=100000"]
    return arguments("rnnsearch50", data, directory, DROPOUT, LANES, *limits, *more)


def killed(kills: int, seed: int, train: list[str]) -> dict[str, int]:
    said = python(Path(__file__).with_name("killed_runs.py"), kills, seed, *train).output()
    report: dict[str, int] = json.loads(said.splitlines()[-1])
    return report


def assert_same(one: Path, other: Path) -> None:
    first, second = weights(one), weights(other)
    assert first.keys() == second.keys()
    for name, value in first.items():
        np.testing.assert_array_equal(value, second[name])
    assert validation_losses(one)[-1] == validation_losses(other)[-1]


def complaint(end: Ended) -> str:
    """What a command complains of; it must have ended by itself, by a message alone."""
    assert end.code == 1, end
    assert end.complained.startswith("Error: ") and "Traceback" not in end.complained, end
    return end.complained


def failed(*train: str) -> str:
    return complaint(run_warm("-m", "tfnmt", *train))


def test_kills_at_any_moment_change_nothing(data: Path, finished: Path, tmp_path: Path) -> None:
    report = killed(3, 1, command(data, tmp_path / "run", 12, EVERY_STEP))
    assert report["code"] == 0
    assert_same(finished, tmp_path / "run")


@pytest.mark.slow
def test_fifty_kills_at_any_moment_change_nothing(data: Path, tmp_path: Path) -> None:
    run_warm("-m", "tfnmt", *command(data, tmp_path / "undisturbed", 400)).output()
    report = killed(50, 2, command(data, tmp_path / "run", 400, EVERY_STEP))
    print(report)
    assert report["code"] == 0
    assert report["in the writing of a checkpoint"] >= 5
    assert report["too late"] == 0
    assert_same(tmp_path / "undisturbed", tmp_path / "run")


def test_a_polite_kill_saves_first(data: Path, tmp_path: Path) -> None:
    process = started("-m", "tfnmt", *command(data, tmp_path / "run", 100000, "training.save_minutes=1000"))
    metrics = tmp_path / "run" / "metrics.jsonl"  # a line every fifty steps
    patience = time.monotonic() + 300
    while not metrics.is_file():
        assert process.poll() is None and time.monotonic() < patience
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    end = ended(process, seconds=120)
    assert end.code == 130, end
    assert "interrupted by SIGTERM: run the same command again to go on" in end.said
    assert last_step(tmp_path / "run") >= 50


@pytest.fixture
def copied(finished: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(finished, tmp_path / "run"))


def test_a_full_disk_leaves_the_checkpoint_before(data: Path, finished: Path, copied: Path) -> None:
    """No file may grow beyond 10,000 bytes, which is less than a checkpoint's."""
    limit = (10_000, resource.RLIM_INFINITY)
    process = started(
        "-m", "tfnmt", *command(data, copied, 20, EVERY_STEP),
        before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit),
    )  # fmt: skip
    told = complaint(ended(process, seconds=300))
    assert "could not be written" in told and "The previous checkpoint is intact" in told
    assert last_step(copied) == 12
    assert_same(finished, copied)


def test_a_removed_corpus_is_named_and_the_checkpoint_stays(data: Path, copied: Path) -> None:
    text = data / "train.en"
    away = text.rename(data / "away")
    try:
        told = failed("train", str(copied), "--resume", "--set", "training.steps=20")
    finally:
        away.rename(text)
    assert str(text) in told
    assert last_step(copied) == 12


def test_a_directory_that_cannot_be_made_is_named(data: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "cannot be written" in failed(*command(data, tmp_path / "file" / "run", 2))


def test_a_loss_that_is_not_finite_names_the_lines_and_the_best_model_stays(data: Path, copied: Path) -> None:
    best = (copied / "translator.keras").read_bytes()
    told = failed(*command(data, copied, 20, 'training.optimizer={kind="sgd", learning_rate=1e38}'))
    assert "is not finite" in told and f"{data / 'train.en'}:" in told
    assert last_step(copied) == 12
    assert (copied / "translator.keras").read_bytes() == best


def test_the_second_of_two_runs_in_one_directory_is_refused_and_changes_nothing(data: Path, copied: Path) -> None:
    from tfnmt.training.lock import RunLock

    recipe = (copied / "recipe.toml").read_bytes()
    with RunLock(copied):
        told = failed(*command(data, copied, 20))
    assert f"Another run is training in '{copied}' (process {os.getpid()})" in told
    assert (copied / "recipe.toml").read_bytes() == recipe


@pytest.mark.slow
def test_the_same_seed_gives_the_same_weights_twice(data: Path, finished: Path, tmp_path: Path) -> None:
    run_warm("-m", "tfnmt", *command(data, tmp_path / "again", 12)).output()
    assert_same(finished, tmp_path / "again")
    run_warm("-m", "tfnmt", *command(data, tmp_path / "other", 12, "training.seed=2")).output()
    assert any(
        not np.array_equal(value, weights(tmp_path / "other")[name]) for name, value in weights(finished).items()
    )
