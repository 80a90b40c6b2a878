"""Trains the small network in a directory, telling each step, and prints a fingerprint of all its variables at the end.

Arguments: the directory and the steps between two checkpoints.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import tensorflow as tf

from tests.training.stand_in import SmallBatches, SmallNetwork
from tfnmt.training.averaging import ExponentialAverage
from tfnmt.training.budget import Budget
from tfnmt.training.observer import Observer, StepReport
from tfnmt.training.optimizers import Adam
from tfnmt.training.trainer import Intervals, Trainer
from tfnmt.training.validation import LikelihoodValidation


class Teller(Observer):
    def stepped(self, report: StepReport) -> None:
        print(f"step {report.step}", flush=True)


def fingerprint(directory: Path, save_every: int, observer: Observer) -> str:
    """Where a run of 40 steps ends: its variables, its best validation and the step of it."""
    network, optimizer, average = SmallNetwork(dropout=0.3), Adam(1e-2), ExponentialAverage(0.9)
    batches = SmallBatches()
    trainer = Trainer(
        network,
        optimizer,
        batches,
        directory,
        clip_norm=1.0,
        average=average,
        validations=[LikelihoodValidation(tf.distribute.get_strategy(), network, list(batches.epoch(0)))],
        budget=Budget(steps=40),
        intervals=Intervals(validate_every=7, save_every=save_every),
        observers=[observer],
    )
    trainer.train()
    digest = hashlib.sha256()
    for variable in [*network.variables, *optimizer.variables, *average.variables]:
        digest.update(variable.numpy().tobytes())
    return f"{digest.hexdigest()} {trainer.state.best_value} {trainer.state.best_step}"


if __name__ == "__main__":
    print(fingerprint(Path(sys.argv[1]), int(sys.argv[2]), Teller()))
