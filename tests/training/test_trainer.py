"""The loop: what it computes, when it stops, and that stopping leaves no trace."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
import tensorflow as tf

from tests.training.stand_in import SmallBatch, SmallBatches, SmallNetwork
from tfnmt.errors import UserError
from tfnmt.training.averaging import ExponentialAverage
from tfnmt.training.budget import Budget
from tfnmt.training.criterion import Criterion
from tfnmt.training.lock import RunLock
from tfnmt.training.loss_scale import DynamicLossScale
from tfnmt.training.observer import End, Observer, Start, StepReport, ValidationReport
from tfnmt.training.optimizers import Adam
from tfnmt.training.schedules import InverseSquareRoot
from tfnmt.training.trainer import Intervals, Trainer
from tfnmt.training.validation import LikelihoodValidation


class Recorder(Observer):
    """Keeps what a run tells; sends this process a signal after the step that it is given."""

    def __init__(self, interrupt_after: int = 0, by: signal.Signals = signal.SIGINT) -> None:
        self.starts: list[Start] = []
        self.steps: list[StepReport] = []
        self.validations: list[ValidationReport] = []
        self.ends: list[End] = []
        self._interrupt_after, self._by = interrupt_after, by

    def started(self, start: Start) -> None:
        self.starts.append(start)

    def stepped(self, report: StepReport) -> None:
        self.steps.append(report)
        if report.step == self._interrupt_after:
            signal.raise_signal(self._by)

    def validated(self, report: ValidationReport) -> None:
        self.validations.append(report)

    def ended(self, end: End) -> None:
        self.ends.append(end)


def trainer(directory: Path, **options: Any) -> Trainer:
    defaults: dict[str, Any] = {
        "network": SmallNetwork(dropout=0.3),
        "optimizer": Adam(1e-2),
        "batches": SmallBatches(),
    }
    return Trainer(directory=directory, **{**defaults, **options})


def values(trainer: Trainer) -> list[np.ndarray]:
    average = [] if trainer.average is None else trainer.average.variables
    return [v.numpy() for v in [*trainer.network.variables, *trainer.optimizer.variables, *average]]


def assert_same(one: Trainer, two: Trainer) -> None:
    for a, b in zip(values(one), values(two), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("stop", [3, 5, 12])  # in an epoch, at its end, in a later one
def test_a_resumed_run_ends_in_the_same_weights_bit_for_bit(tmp_path: Path, stop: int) -> None:
    def part(name: str, steps: int) -> Trainer:
        average = ExponentialAverage(0.9)
        run = trainer(tmp_path / name, average=average, clip_norm=1.0, budget=Budget(steps=steps))
        run.train()
        return run

    undisturbed = part("one", 17)
    part("two", stop)
    resumed = part("two", 17)
    assert (resumed.state.step, resumed.state.epoch, resumed.state.batch) == (17, 3, 2)
    assert_same(undisturbed, resumed)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_finishes_its_step_saves_and_says_how_to_go_on(
    tmp_path: Path, number: signal.Signals
) -> None:
    before = signal.getsignal(number)
    interrupted = trainer(tmp_path, observers=[Recorder(interrupt_after=7, by=number)])
    end = interrupted.train()
    assert end.reason == f"interrupted by {number.name}: run the same command again to go on"
    assert signal.getsignal(number) is before

    recorder = Recorder(interrupt_after=8)
    trainer(tmp_path, observers=[recorder]).train()
    assert recorder.starts[0].resumed
    assert [(report.step, report.epoch, report.batch) for report in recorder.steps] == [(8, 1, 2)]


def test_a_second_signal_does_not_wait(tmp_path: Path) -> None:
    class Impatient(Recorder):
        def stepped(self, report: StepReport) -> None:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        trainer(tmp_path, observers=[Impatient()]).train()


def test_the_learning_rate_goes_on_after_a_stop(tmp_path: Path) -> None:  # C60
    def rates(name: str, *limits: int) -> list[float]:
        recorder = Recorder()
        for steps in limits:
            optimizer = Adam(InverseSquareRoot(64, warmup_steps=20))
            trainer(tmp_path / name, optimizer=optimizer, budget=Budget(steps=steps), observers=[recorder]).train()
        return [report.learning_rate for report in recorder.steps]

    whole = rates("whole", 60)
    assert rates("parts", 30, 60) == whole
    assert whole[29] == pytest.approx(64**-0.5 * 30**-0.5)


def test_a_run_at_its_limit_says_so_and_does_nothing(tmp_path: Path) -> None:  # C63
    trainer(tmp_path, budget=Budget(steps=10)).train()
    recorder = Recorder()
    end = trainer(tmp_path, budget=Budget(steps=10), observers=[recorder]).train()
    assert end.reason == "is already at step 10 of 10: raise the limit to go on"
    assert (recorder.starts, recorder.steps, recorder.ends) == ([], [], [end])


@pytest.mark.parametrize(
    ("stop", "budget"), [(5, Budget(steps=12)), (12, Budget(steps=12))], ids=["end of an epoch", "end of the run"]
)
def test_a_validation_that_an_interruption_put_off_is_made_up_for(tmp_path: Path, stop: int, budget: Budget) -> None:
    def run(name: str, recorder: Recorder) -> Trainer:
        made = trainer(
            tmp_path / name,
            validations=[lambda: {"loss": float(made.state.step)}],
            criterion=Criterion("loss", larger_is_better=True),
            budget=budget,
            observers=[recorder],
        )
        made.train()
        return made

    whole, first, second = Recorder(), Recorder(interrupt_after=stop), Recorder()
    undisturbed = run("one", whole)
    run("two", first)
    assert first.ends[0].interrupted and first.steps[-1].step == stop
    resumed = run("two", second)
    found = [report.step for report in (*first.validations, *second.validations)]
    assert found == [report.step for report in whole.validations] == [5, 10, 12]
    assert (resumed.state.best_step, resumed.state.last_validation) == (12, 12)
    assert second.ends[0].reason == whole.ends[0].reason
    assert_same(undisturbed, resumed)
    assert run("two", third := Recorder()).state.step == 12 and third.ends[0].nothing_to_do


def test_a_run_without_hope_stays_where_it_is_until_the_patience_is_raised(tmp_path: Path) -> None:  # C63
    def run(patience: int) -> End:
        return trainer(
            tmp_path,
            validations=[lambda: {"loss": 1.0}],
            criterion=Criterion(patience=patience),
            intervals=Intervals(validate_every=2),
            budget=Budget(steps=20),
        ).train()

    assert run(2).state.step == 6
    kept = (tmp_path / "last" / "checkpoint").read_bytes()
    again = run(2)
    assert (again.state.step, again.nothing_to_do) == (6, True)
    assert "loss has not improved in 2 validations; the best was at step 2: raise the patience" in again.reason
    assert (tmp_path / "last" / "checkpoint").read_bytes() == kept
    assert run(3).state.step == 8


def test_a_second_run_in_the_directory_is_refused(tmp_path: Path) -> None:
    run = trainer(tmp_path, budget=Budget(steps=1))
    with RunLock(tmp_path), pytest.raises(UserError, match="Another run"):
        run.train()
    run.train()


def test_no_worker_leaves_before_the_chief_has_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, events = trainer(tmp_path, budget=Budget(steps=1)), []
    monkeypatch.setattr(run.team, "part", lambda: events.append("parted"))
    monkeypatch.setattr(run.checkpoints, "save", lambda state: events.append("saved"))
    run.train()
    assert events[-2:] == ["saved", "parted"]


def test_a_batch_without_sentences_leaves_no_trace(tmp_path: Path) -> None:  # C31
    class Gappy(SmallBatches):
        def epoch(self, number: int, start: int = 0) -> Iterator[SmallBatch]:
            nothing = SmallBatch(np.zeros([0, 1], np.int32), np.zeros([0, 1], np.int32), np.zeros([0], np.int64))
            whole = [nothing, *super().epoch(number)]
            return iter(whole[start:])

    with_gaps = trainer(tmp_path / "gaps", batches=Gappy(), budget=Budget(epochs=2))
    without = trainer(tmp_path / "none", budget=Budget(epochs=2))
    with_gaps.train()
    without.train()
    assert with_gaps.state.step == without.state.step == 10
    assert_same(with_gaps, without)


class Diverging(SmallNetwork):
    """Its loss is not a number for batches that hold word 23 in first place."""

    def token_losses(self, source_ids: Any, target_ids: Any, training: bool) -> tf.Tensor:
        losses = super().token_losses(source_ids, target_ids, training)
        return tf.where(tf.reduce_any(tf.equal(source_ids[:, 0], 23)), np.nan, 1.0) * losses


def test_a_loss_that_is_not_a_number_stops_the_run_and_the_best_model_stays(tmp_path: Path) -> None:  # C32
    class FirstLineLast(SmallBatches):
        def epoch(self, number: int, start: int = 0) -> Iterator[SmallBatch]:
            firsts = range(start * 2, 8, 2)
            return (self.batch(np.arange(first, first + 2)) for first in firsts)

    batches = FirstLineLast(pairs=8, batch_size=2)
    batches.ids[:, 0] = np.arange(8) + 4
    batches.ids[5, 0] = 23
    recorder, network = Recorder(), Diverging()
    run = trainer(
        tmp_path,
        network=network,
        batches=batches,
        validations=[lambda: {"loss": 1.0}],
        intervals=Intervals(validate_every=2),
        observers=[recorder],
        where="train.en:{}".format,
    )
    with pytest.raises(UserError, match="not finite") as caught:
        run.train()
    message = str(caught.value)
    for part in (
        "step 3",
        "epoch 1, batch 3",
        "train.en:4\n",
        "train.en:5\n",
        "best model, of step 2",
        "learning rate",
    ):
        assert part in message
    assert [report.step for report in recorder.steps] == [1, 2]
    assert recorder.ends[0].reason == "stopped by an error"
    assert run.checkpoints.restore().step == 2  # type: ignore[union-attr]
    assert all(np.isfinite(value).all() for value in values(run))
    assert run.checkpoints.restore_best()


def test_the_best_by_validation_is_kept_once_and_early_stopping_ends_the_run(tmp_path: Path) -> None:  # C65
    scores = iter([5.0, 9.0, 9.0, 6.0, 4.0, 3.0])
    saved: list[int] = []
    recorder = Recorder()
    run = trainer(
        tmp_path,
        validations=[lambda: {"bleu": next(scores)}, lambda: {"loss": 1.0}],
        criterion=Criterion("bleu", larger_is_better=True, patience=3),
        intervals=Intervals(validate_every=2),
        save_best=lambda: saved.append(run.state.step),
        observers=[recorder],
    )
    end = run.train()
    assert saved == [2, 4]
    assert end.reason == "finished: bleu has not improved in 3 validations; the best was at step 4"
    assert [(report.step, report.is_best) for report in recorder.validations] == [
        (2, True), (4, True), (6, False), (8, False), (10, False),
    ]  # fmt: skip
    assert recorder.validations[0].results == {"bleu": 5.0, "loss": 1.0}


def test_the_average_is_what_is_validated_and_kept_as_best(tmp_path: Path) -> None:
    average, seen = ExponentialAverage(0.9), []
    network = SmallNetwork()
    run = trainer(
        tmp_path,
        network=network,
        average=average,
        validations=[lambda: seen.append(network.embedding.embeddings.numpy()) or {"loss": 1.0}],
        budget=Budget(steps=4),
    )
    run.train()
    own = network.embedding.embeddings.numpy()
    np.testing.assert_array_equal(seen[0], average.averages[0])
    assert np.abs(own - seen[0]).max() > 1e-3
    run.checkpoints.restore_best()
    np.testing.assert_array_equal(network.embedding.embeddings.numpy(), seen[0])


def test_validation_comes_with_each_epoch_and_at_the_end(tmp_path: Path) -> None:
    recorder = Recorder()
    options = {"validations": [lambda: {"loss": 1.0}], "observers": [recorder]}
    trainer(tmp_path / "one", budget=Budget(steps=12), **options).train()
    assert [report.step for report in recorder.validations] == [5, 10, 12]
    recorder.validations.clear()
    trainer(tmp_path / "two", budget=Budget(steps=10), **options).train()
    assert [report.step for report in recorder.validations] == [5, 10]


def test_a_metric_that_nothing_measures_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"'bleu', which no validation measures\. Measured: loss"):
        trainer(
            tmp_path, validations=[lambda: {"loss": 1.0}], criterion=Criterion("bleu"), budget=Budget(steps=1)
        ).train()


@pytest.mark.parametrize("precision", ["float32", "mixed_bfloat16", "mixed_float16"])
def test_a_copy_is_learnt(tmp_path: Path, precision: str) -> None:
    keras.config.set_dtype_policy(precision)
    try:
        network = SmallNetwork(16)
    finally:
        keras.config.set_dtype_policy("float32")
    batches, recorder = SmallBatches(), Recorder()
    validation = LikelihoodValidation(tf.distribute.get_strategy(), network, list(batches.epoch(0)))
    trainer(
        tmp_path,
        network=network,
        optimizer=Adam(0.02),
        validations=[validation],
        budget=Budget(epochs=30),
        observers=[recorder],
        loss_scale=DynamicLossScale(2.0**24, growth_steps=20) if precision == "mixed_float16" else None,
    ).train()
    assert recorder.validations[-1].results["perplexity"] < 1.3 < 15 < recorder.validations[0].results["perplexity"]
    assert {weight.dtype for weight in network.trainable_variables} == {"float32"}
