"""What can happen to a run from outside, through the real command: it loses nothing, and says what to do."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.copy_run import ROOT
from tests.end_to_end.tiny_runs import arguments, corpus, run, started, validation_losses, weights

EVERY_STEP = "training.save_steps=1"
DROPOUT = "model.decoder.readout.dropout=0.2"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return corpus(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def finished(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of twelve steps that nothing happened to."""
    directory = tmp_path_factory.mktemp("runs") / "undisturbed"
    run("-m", "tfnmt", *command(data, directory, 12))
    return directory


def command(data: Path, directory: Path, steps: int, *more: str) -> list[str]:
    limits = [f"training.steps={steps}", "training.epochs=100000", "training.validation_steps=100000"]
    return arguments("rnnsearch50", data, directory, DROPOUT, *limits, *more)


def killed(kills: int, seed: int, train: list[str]) -> dict[str, int]:
    report: dict[str, int] = json.loads(
        run(str(ROOT / "tests/end_to_end/killed_runs.py"), str(kills), str(seed), *train).splitlines()[-1]
    )
    return report


def assert_same(one: Path, other: Path) -> None:
    first, second = weights(one), weights(other)
    assert first.keys() == second.keys()
    for name, value in first.items():
        np.testing.assert_array_equal(value, second[name])
    assert validation_losses(one)[-1] == validation_losses(other)[-1]


def last_step(directory: Path) -> int:
    named = (directory / "checkpoints" / "last" / "checkpoint").read_text(encoding="utf-8")
    return int(re.search(r"ckpt-(\d+)", named)[1])  # type: ignore[index]


def failed(train: list[str], before: Callable[[], None] | None = None) -> str:
    """What the command complains of; it must end by itself, by a message alone."""
    process = subprocess.run(
        [sys.executable, "-m", "tfnmt", *train], cwd=ROOT, text=True, capture_output=True, check=False,
        preexec_fn=before, env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}, timeout=300,
    )  # fmt: skip
    assert process.returncode == 1, process.stdout + process.stderr
    assert process.stderr.startswith("Error: ") and "Traceback" not in process.stderr, process.stderr
    return process.stderr


def test_kills_at_any_moment_change_nothing(data: Path, finished: Path, tmp_path: Path) -> None:
    report = killed(3, 1, command(data, tmp_path / "run", 12, EVERY_STEP))
    assert report["code"] == 0
    assert_same(finished, tmp_path / "run")


@pytest.mark.slow
def test_fifty_kills_at_any_moment_change_nothing(data: Path, tmp_path: Path) -> None:
    run("-m", "tfnmt", *command(data, tmp_path / "undisturbed", 400))
    report = killed(50, 2, command(data, tmp_path / "run", 400, EVERY_STEP))
    print(report)
    assert report["code"] == 0
    assert report["in the writing of a checkpoint"] >= 5
    assert report["too late"] == 0
    assert_same(tmp_path / "undisturbed", tmp_path / "run")


def test_a_polite_kill_saves_first(data: Path, tmp_path: Path) -> None:
    process = started("-m", "tfnmt", *command(data, tmp_path / "run", 100000, "training.save_minutes=1000"))
    metrics = tmp_path / "run" / "metrics.jsonl"  # a line every fifty steps
    end = time.monotonic() + 300
    while not metrics.is_file():
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    said, complained = process.communicate(timeout=120)
    assert process.returncode == 130, complained
    assert "interrupted by SIGTERM: run the same command again to go on" in said
    assert last_step(tmp_path / "run") >= 50


@pytest.fixture
def copied(finished: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(finished, tmp_path / "run"))


def test_a_full_disk_leaves_the_checkpoint_before(data: Path, finished: Path, copied: Path) -> None:
    """No file may grow beyond 10,000 bytes, which is less than a checkpoint's."""
    limit = (10_000, resource.RLIM_INFINITY)
    complaint = failed(command(data, copied, 20, EVERY_STEP), lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit))
    assert "could not be written" in complaint and "The previous checkpoint is intact" in complaint
    assert last_step(copied) == 12
    assert_same(finished, copied)


def test_a_removed_corpus_is_named_and_the_checkpoint_stays(data: Path, copied: Path) -> None:
    text = data / "train.en"
    away = text.rename(data / "away")
    try:
        complaint = failed(["train", str(copied), "--resume", "--set", "training.steps=20"])
    finally:
        away.rename(text)
    assert str(text) in complaint
    assert last_step(copied) == 12


def test_a_directory_that_cannot_be_made_is_named(data: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "cannot be written" in failed(command(data, tmp_path / "file" / "run", 2))


def test_the_second_of_two_runs_in_one_directory_is_refused_and_changes_nothing(data: Path, copied: Path) -> None:
    from tfnmt.training.lock import RunLock

    recipe = (copied / "recipe.toml").read_bytes()
    with RunLock(copied):
        complaint = failed(command(data, copied, 20))
    assert f"Another run is training in '{copied}' (process {os.getpid()})" in complaint
    assert (copied / "recipe.toml").read_bytes() == recipe


@pytest.mark.slow
def test_the_same_seed_gives_the_same_weights_twice(data: Path, finished: Path, tmp_path: Path) -> None:
    run("-m", "tfnmt", *command(data, tmp_path / "again", 12))
    assert_same(finished, tmp_path / "again")
    run("-m", "tfnmt", *command(data, tmp_path / "other", 12, "training.seed=2"))
    assert any(
        not np.array_equal(value, weights(tmp_path / "other")[name]) for name, value in weights(finished).items()
    )
