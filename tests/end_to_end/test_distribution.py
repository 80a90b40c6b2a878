"""The real command on several devices and in several processes ends in the weights of one device."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.end_to_end.tiny_runs import (
    LAUNCH,
    arguments,
    corpus,
    largest_difference,
    last_step,
    validation_losses,
)
from tests.processes import python, started
from tests.warm_starts import run_warm, run_warm_together
from tfnmt.zoo import shelf
from tfnmt.zoo.launch import PATIENCE, configuration, free_addresses

# float32 sums in another order, over six updates of weights of the order of 0.1 to 1
TOLERANCE = 2e-6
BOUND = 30.0
"""Seconds within which a lost worker is noticed: TensorFlow's heartbeat allows ten, the rest is for a busy machine."""
ENDLESS = ["training.epochs=100000", "training.validation_steps=100000", "training.save_minutes=1000"]
MODELS = ("rnnsearch50", "rnnsearch_lv")
"""One whose gradients are dense, one whose are row-sparse; the slow tests go through all."""
# The value network starts from a trained translator, whose beam it learns from; its step is that of the others.
ALONE = [name for name in shelf.names() if name != "rnnsearch_value"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return corpus(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def single(data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The runs on one device, by model; each is made when it is first asked for."""

    class Runs(dict[str, Path]):
        def __missing__(self, model: str) -> Path:
            self[model] = tmp_path_factory.mktemp("single") / model
            run_warm("-m", "tfnmt", *arguments(model, data, self[model]), "--strategy", "single").output()
            return self[model]

    return Runs()


def assert_same(one: Path, other: Path) -> None:
    assert largest_difference(one, other) < TOLERANCE
    assert validation_losses(other) == pytest.approx(validation_losses(one), rel=1e-5)


def on_two_devices(model: str, data: Path, directory: Path) -> str:
    train = arguments(model, data, directory)
    return run_warm("-m", "tfnmt", *train, "--strategy", "mirrored", "--cpu-devices", "2").output()


def in_processes(count: int, model: str, data: Path, directory: Path, *overrides: str) -> str:
    """What the chief says; the others say nothing."""
    addresses, train = free_addresses(count), ["-m", "tfnmt", *arguments(model, data, directory, *overrides)]
    team = [(train, {"TF_CONFIG": configuration(addresses, number)}) for number in range(count)]
    said = [ended.output() for ended in run_warm_together(team)]
    assert not any(said[1:])
    return said[0]


def launched(count: int, model: str, data: Path, directory: Path, *overrides: str) -> str:
    """The same through the launcher."""
    return python(*LAUNCH, count, "--", *arguments(model, data, directory, *overrides)).output()


@pytest.mark.parametrize("model", MODELS)
def test_two_devices_end_in_the_weights_of_one(
    model: str, data: Path, single: dict[str, Path], tmp_path: Path
) -> None:  # C67
    said = on_two_devices(model, data, tmp_path / "run")
    assert "on 2 replicas in sync, which share each batch" in said
    assert_same(single[model], tmp_path / "run")


@pytest.mark.parametrize(("model", "start"), list(zip(MODELS, (launched, in_processes), strict=True)))
def test_two_processes_end_in_the_weights_of_one(
    model: str, start: Callable[..., str], data: Path, single: dict[str, Path], tmp_path: Path
) -> None:  # C68
    """Batches of 7, 7 and 1 pairs: the second worker has fewer, and of the last batch none."""
    said = start(2, model, data, tmp_path / "run")
    assert said.count("New run in") == 1  # the chief alone tells
    assert "on 2 replicas in sync, which share each batch" in said
    assert_same(single[model], tmp_path / "run")
    assert len(list((tmp_path / "run" / "tensorboard").iterdir())) == 1  # and alone writes


def test_two_processes_that_accumulate_end_in_the_weights_of_one(
    data: Path, single: dict[str, Path], tmp_path: Path
) -> None:
    """Each worker takes its part of a batch in three parts, some of them of no pair."""
    said = in_processes(2, "rnnsearch50", data, tmp_path / "run", "training.accumulate=3")
    assert "on 2 replicas in sync" in said
    assert_same(single["rnnsearch50"], tmp_path / "run")


@pytest.mark.slow
@pytest.mark.parametrize("model", ALONE)
def test_every_model_trains_on_two_devices_and_in_three_processes(
    model: str, data: Path, single: dict[str, Path], tmp_path: Path
) -> None:
    on_two_devices(model, data, tmp_path / "devices")
    assert_same(single[model], tmp_path / "devices")
    in_processes(3, model, data, tmp_path / "processes")
    assert_same(single[model], tmp_path / "processes")


@pytest.mark.slow
@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "stopped"])
@pytest.mark.parametrize("lost", [0, 1], ids=["the chief", "another worker"])
def test_a_lost_worker_ends_the_job_and_the_job_can_be_gone_on_with(
    lost: int, by: signal.Signals, data: Path, tmp_path: Path
) -> None:
    """One that is stopped keeps its connections and answers no more, as a machine that hangs does."""
    job = started(
        *LAUNCH, "2", "--", *arguments("rnnsearch50", data, tmp_path / "run", *ENDLESS, "training.save_steps=5")
    )
    try:
        last = tmp_path / "run" / "checkpoints" / "last" / "checkpoint"
        wait_for(last.is_file, seconds=300)
        began = time.monotonic()
        workers = children(job.pid)
        os.kill(workers[lost], by)
        wait_for(lambda: ended(workers[1 - lost]), seconds=BOUND)
        print(f"noticed after {time.monotonic() - began:.1f} s")
        _, complained = job.communicate(timeout=PATIENCE + BOUND)
        print(f"all ended after {time.monotonic() - began:.1f} s")
    finally:
        job.kill()
    assert job.returncode != 0
    assert "Another worker of this run no longer answers" in complained
    step = last_step(tmp_path / "run")
    said = launched(2, "rnnsearch50", data, tmp_path / "run", f"training.steps={step + 2}")
    assert f"Going on from step {step}" in said.replace(",", "")


@pytest.mark.slow
def test_a_polite_kill_of_one_worker_saves_and_ends_all_of_them(data: Path, tmp_path: Path) -> None:
    job = started(*LAUNCH, "2", "--", *arguments("rnnsearch50", data, tmp_path / "run", *ENDLESS))
    wait_for((tmp_path / "run" / "metrics.jsonl").is_file, seconds=300)  # a line every fifty steps
    os.kill(children(job.pid)[1], signal.SIGTERM)
    said, complained = job.communicate(timeout=120)
    assert (job.returncode, complained) == (130, "")
    assert "interrupted by a signal to another worker: run the same command again to go on" in said
    assert last_step(tmp_path / "run") >= 50


def ended(pid: int) -> bool:
    """Whether a process has ended, be it that nobody has asked for its exit code yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def children(pid: int) -> list[int]:
    """The processes that a process started, oldest first."""
    return sorted(int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split())


def wait_for(ready: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < end
        time.sleep(0.05)
