"""The loop: what it computes, and that stopping leaves no trace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest

from tests.training.stand_in import SmallBatches, SmallNetwork
from tfnmt.training.averaging import ExponentialAverage
from tfnmt.training.budget import Budget
from tfnmt.training.observer import Observer, StepReport
from tfnmt.training.trainer import Trainer


class Recorder(Observer):
    def __init__(self) -> None:
        self.steps: list[StepReport] = []

    def stepped(self, report: StepReport) -> None:
        self.steps.append(report)


def trainer(directory: Path, **options: Any) -> Trainer:
    optimizer = options.pop("optimizer", None) or keras.optimizers.Adam(1e-2)
    network = options.pop("network", None) or SmallNetwork(dropout=0.3)
    return Trainer(network, optimizer, options.pop("batches", None) or SmallBatches(), directory, **options)


def weights(trainer: Trainer) -> list[np.ndarray]:
    return [variable.numpy() for variable in [*trainer.network.variables, *trainer.optimizer.variables]]


@pytest.mark.parametrize("stop", [3, 5, 12])  # in an epoch, at its end, in a later one
def test_a_resumed_run_ends_in_the_same_weights_bit_for_bit(tmp_path: Path, stop: int) -> None:
    undisturbed = trainer(tmp_path / "one", average=ExponentialAverage(), clip_norm=1.0, budget=Budget(steps=17))
    undisturbed.train()

    part = dict(clip_norm=1.0)
    trainer(tmp_path / "two", average=ExponentialAverage(), budget=Budget(steps=stop), **part).train()
    resumed = trainer(tmp_path / "two", average=ExponentialAverage(), budget=Budget(steps=17), **part)
    resumed.train()

    assert resumed.state.step == undisturbed.state.step == 17
    assert (resumed.state.epoch, resumed.state.batch) == (3, 2)
    for one, two in zip(weights(undisturbed), weights(resumed), strict=True):
        np.testing.assert_array_equal(one, two)


def test_a_run_at_its_limit_says_so_and_does_nothing(tmp_path: Path) -> None:  # C63
    trainer(tmp_path, budget=Budget(steps=10)).train()
    recorder = Recorder()
    end = trainer(tmp_path, budget=Budget(steps=10), observers=[recorder]).train()
    assert end.reason == "is already at step 10 of 10: raise the limit to go on"
    assert recorder.steps == []
