"""The training loop: one for every `tf.distribute` strategy."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from tfnmt.errors import UserError
from tfnmt.training.averaging import ExponentialAverage
from tfnmt.training.budget import Budget
from tfnmt.training.checkpoints import Checkpoints, ReadCheckpoints
from tfnmt.training.criterion import Criterion
from tfnmt.training.interruption import Interruption
from tfnmt.training.lock import RunLock
from tfnmt.training.loss_scale import LossScale
from tfnmt.training.normalization import LossNormalization
from tfnmt.training.observer import End, Observer, Start, StepReport, ValidationReport
from tfnmt.training.prefetch import Prefetch
from tfnmt.training.randomness import draw_apart
from tfnmt.training.state import TrainingState
from tfnmt.training.step import StepResult, TrainingStep
from tfnmt.training.stream import BatchSource, TrainingBatch, training_stream
from tfnmt.training.team import team
from tfnmt.training.validation import Validation


@dataclass(frozen=True)
class Intervals:
    """When a run validates and saves, beside the end of the run, where it does both.

    Args:
        validate_every: steps between validations; `None` for the end of each epoch.
        save_every: steps between checkpoints, beside those after a validation; `None` for none.
        save_every_minutes: the same in minutes.
    """

    validate_every: int | None = None
    save_every: int | None = None
    save_every_minutes: float = 5.0

    def validation_is_due(self, step: int, ends_epoch: bool) -> bool:
        return ends_epoch if self.validate_every is None else step % self.validate_every == 0


class Trainer:
    """Trains a network on batches until a budget is spent, and can stop and go on at any step.

    Resuming is automatic: a directory that holds a checkpoint is gone on with, to the same weights, bit for bit, as a
    run that never stopped (same machine, same number of threads, same strategy; on GPUs TensorFlow must be told to
    compute deterministically).

    Args:
        network: an `EncoderDecoder`, made in the scope of `strategy`.
        optimizer: a Keras optimizer made in that scope, without clipping or averaging of its own.
        batches: `epoch(number, start)` gives the batches of an epoch, `count(number)` their number.
        directory: where checkpoints are kept.
        strategy: `None` for the one in whose scope the trainer is made (TensorFlow's default: one device). Of several
            worker processes the chief alone writes; the others need to read the same directory.
        normalization: what the summed loss is divided by.
        clip_norm: largest global norm of that gradient, `None` for no clipping.
        average: keeps a moving average of the weights. The average is then what is validated, and kept as best.
        validations: each measures the network; their results are joined.
        criterion: which of the results decides, and how long without improvement the run lasts; by default the
            smallest `loss`, without early stopping.
        budget: when the run ends; by default never.
        intervals: when it validates and saves; by default after each epoch and every five minutes.
        observers: are told of each step and validation.
        save_best: called whenever a validation was the best so far, with the validated weights in the network.
        where: says where the pair of a number comes from (file and line), for messages.
        loss_name: what the training loss is called where it is not the negative log-likelihood, for instance
            `smoothed loss`; the logs then show no perplexity of it.
        keep: how many last checkpoints stay beside the best.
        accumulate: in how many parts, one after the other, each batch is worked through; see `TrainingStep`.
        loss_scale: for float16, made in the strategy's scope.
        lanes: into how many parts a batch is divided that are worked on at the same time; see `TrainingStep`.
        before_step: called with each batch before it is trained on (`tfnmt.training.sampled_vocabulary`).
    """

    def __init__(
        self,
        network: keras.Model,
        optimizer: keras.optimizers.Optimizer,
        batches: BatchSource,
        directory: Path | str,
        *,
        strategy: tf.distribute.Strategy | None = None,
        normalization: LossNormalization = LossNormalization.SUM,
        clip_norm: float | None = None,
        average: ExponentialAverage | None = None,
        validations: Sequence[Validation] = (),
        criterion: Criterion | None = None,
        budget: Budget | None = None,
        intervals: Intervals | None = None,
        observers: Sequence[Observer] = (),
        save_best: Callable[[], None] | None = None,
        where: Callable[[int], Any] = "pair {}".format,
        loss_name: str | None = None,
        keep: int = 1,
        accumulate: int = 1,
        loss_scale: LossScale | None = None,
        lanes: int = 1,
        before_step: Callable[[TrainingBatch], None] | None = None,
    ) -> None:
        self.network = network
        self.optimizer = optimizer
        self.batches = batches
        self.strategy = strategy or tf.distribute.get_strategy()
        self.average = average
        self.validations = validations
        self.criterion = criterion or Criterion()
        self.budget = budget or Budget()
        self.intervals = intervals or Intervals()
        self.observers = observers
        self.save_best = save_best
        self.where = where
        self.loss_name = loss_name
        self.before_step = before_step
        self.state = TrainingState()
        with self.strategy.scope():
            if not network.built:
                ids = np.full([1, 1], 4, np.int32)
                network((ids, ids))
            for weight in network.weights:
                if not self.strategy.extended.variable_created_in_scope(weight.value):
                    raise ValueError(f"'{weight.path}' was not made in the strategy's scope: build the network there.")
            optimizer.build(network.trainable_variables)
            if average is not None:
                average.build(network.trainable_variables)
        self.team = team(self.strategy)
        kept = Checkpoints if self.team.is_chief else ReadCheckpoints
        self.checkpoints = kept(Path(directory), network, optimizer, average, keep, loss_scale)
        self._step = TrainingStep(
            self.strategy, network, optimizer, normalization, clip_norm, accumulate, loss_scale, lanes
        )
        self._steps_per_epoch = math.inf if math.isinf(self.budget.epochs) else batches.count(0)
        self._seconds_of_a_step: float | None = None

    def train(self) -> End:
        """Train, from the newest checkpoint on if there is one, until the budget is spent.

        Returns:
            Where the run stands and why it ended. An interrupted run is saved and goes on with the next call.

        Raises:
            UserError: the corpus is empty, a checkpoint does not fit or cannot be written, the loss or the gradient
                was not finite, or another worker was lost.
        """
        lock = RunLock(self.checkpoints.directory) if self.team.is_chief else nullcontext()
        with lock, self.team.watched():
            with self.team.together():
                restored = self.checkpoints.restore()
            self.state = restored or TrainingState()
            draw_apart(self.strategy, self.network)
            self._check_that_all_stand_here()
            end = End(self.state, "stopped by an error")
            try:
                over = self._reason_not_to_begin()
                if over and not self._owes_a_validation():
                    end = End(self.state, over, nothing_to_do=True)
                else:
                    end = self._run(resumed=restored is not None)
            finally:
                self._tell("ended", end)
        return end

    def _run(self, resumed: bool) -> End:
        self._tell("started", self._start(resumed))
        began = time.monotonic() - self.state.seconds
        stream = training_stream(self.batches, self.state.epoch, self.state.batch)
        with Interruption() as interruption:
            if self._owes_a_validation():
                self._validate()
                self.checkpoints.save(self.state)
                if reason := self._reason_to_end(None):
                    self.team.part()
                    return End(self.state, reason)
            with Prefetch(stream) as prefetched:
                return self._loop(prefetched, interruption, began)

    def _loop(self, stream: Prefetch[TrainingBatch], interruption: Interruption, began: float) -> End:
        saved = self.state.seconds
        for batch in stream:
            if batch.sentences:
                self._train_on(batch)
            self.state.batch = batch.number + 1
            if batch.ends_epoch:
                self.state.epoch, self.state.batch = batch.epoch + 1, 0
            interrupted = self._agreed_with_the_team(interruption, began)
            reason = self._reason_to_end(interrupted)
            due = self.intervals.validation_is_due(self.state.step, batch.ends_epoch)
            if (due or reason) and not interrupted and self.state.last_validation < self.state.step:
                self._validate()
                reason = self._reason_to_end(self._agreed_with_the_team(interruption, began))
            elif not reason and not self._saving_is_due(saved):
                continue
            self.checkpoints.save(self.state)
            saved = self.state.seconds
            if reason:
                self.team.part()  # who leaves first may take the others with it: not before the chief has saved
                return End(self.state, reason, interrupted=interrupted is not None)
        raise AssertionError("the stream of batches has no end")

    def _train_on(self, batch: TrainingBatch) -> None:
        start = time.perf_counter()
        if self.before_step is not None:
            self.before_step(batch)
        result = StepResult(*(float(value) for value in self._step(batch.source_ids, batch.target_ids, batch.task)))
        if self.average is not None:
            self.average.update()
        seconds = time.perf_counter() - start
        self.state.step += 1
        if not (math.isfinite(result.loss) and (math.isfinite(result.gradient_norm) or result.skipped)):
            raise self._divergence(batch, result)
        self._tell("stepped", self._report(batch, result, seconds))

    def _agreed_with_the_team(self, interruption: Interruption, began: float) -> str | None:
        """Sets the clock to the chief's; says what interrupted the run, if anything did."""
        own = interruption.received
        word = self.team.agree(own is not None, time.monotonic() - began)
        self.state.seconds = word.seconds
        return (own.name if own else "a signal to another worker") if word.interrupted else None

    def _check_that_all_stand_here(self) -> None:
        if (chief := round(self.team.share(self.state.step))) != self.state.step:
            raise UserError(
                f"The chief goes on from step {chief:,}, this worker finds step {self.state.step:,} in "
                f"'{self.checkpoints.directory}'. All workers must see the same directory: name one that they share."
            )

    def _reason_to_end(self, interrupted: str | None) -> str | None:
        if interrupted:
            return f"interrupted by {interrupted}: run the same command again to go on"
        if spent := self.budget.reached(self.state):
            return f"finished: {spent}"
        if self.criterion.hopeless(self.state):
            return f"finished: {self._without_hope()}"
        return None

    def _reason_not_to_begin(self) -> str | None:
        if spent := self.budget.reached(self.state):
            return f"is already at {spent}: raise the limit to go on"
        if self.criterion.hopeless(self.state):
            return f"has already ended, since {self._without_hope()}: raise the patience to go on"
        return None

    def _without_hope(self) -> str:
        return (
            f"{self.criterion.metric} has not improved in {self.state.disappointments} validations; the best was at "
            f"step {self.state.best_step:,}"
        )

    def _owes_a_validation(self) -> bool:
        """Whether one was due at this step and an interruption came before it."""
        state = self.state
        ends_epoch = state.batch == 0 and state.epoch > 0
        due = self.intervals.validation_is_due(state.step, ends_epoch) or self.budget.reached(state) is not None
        return due and bool(self.validations) and state.last_validation < state.step

    def _saving_is_due(self, saved: float) -> bool:
        every = self.intervals.save_every
        if every is not None and self.state.step % every == 0:
            return True
        return self.state.seconds - saved >= 60 * self.intervals.save_every_minutes

    def _validate(self) -> None:
        if not self.validations:
            return
        start = time.monotonic()
        with self.average.applied() if self.average is not None else nullcontext():
            results = {name: value for validation in self.validations for name, value in validation().items()}
            if self.criterion.metric not in results:
                raise UserError(
                    f"The best model is chosen by '{self.criterion.metric}', which no validation measures. "
                    f"Measured: {', '.join(results)}."
                )
            # What each worker has measured for itself may differ in the last digits; what follows from it must not.
            value = self.team.share(results[self.criterion.metric])
            is_best = self.criterion.judge(value, self.state)
            if is_best:
                self.checkpoints.save_best(self.state.step)
                if self.save_best is not None:
                    self.save_best()
            seconds = time.monotonic() - start
            report = ValidationReport(
                self.state.step, self.state.epoch, results, is_best, self.state.best_step, seconds
            )
            self._tell("validated", report)

    def _start(self, resumed: bool) -> Start:
        parameters = sum(int(np.prod(weight.shape)) for weight in self.network.trainable_variables)
        return Start(self.state, self.strategy.num_replicas_in_sync, parameters, resumed, self.loss_name)

    def _report(self, batch: TrainingBatch, result: Any, seconds: float) -> StepReport:
        # the first step compiles; it says nothing about the next
        smooth = self._seconds_of_a_step
        self._seconds_of_a_step = seconds if smooth is None or smooth > 10 * seconds else 0.98 * smooth + 0.02 * seconds
        return StepReport(
            step=self.state.step,
            epoch=batch.epoch,
            batch=batch.number,
            loss=result.loss,
            tokens=int(result.tokens),
            target_words=batch.target_words,
            sentences=batch.sentences,
            padding_share=batch.padding_share,
            learning_rate=result.learning_rate,
            gradient_norm=result.gradient_norm,
            seconds=seconds,
            seconds_spent=self.state.seconds,
            seconds_left=self.budget.seconds_left(self.state, 1 / self._seconds_of_a_step, self._steps_per_epoch),
        )

    def _divergence(self, batch: TrainingBatch, result: Any) -> UserError:
        what = "gradient" if math.isfinite(result.loss) else "loss"
        places = [str(self.where(int(number))) for number in batch.pair_numbers]
        shown = "\n  ".join(places[:5] + [f"and {len(places) - 5} more"] * (len(places) > 5))
        best = f"The best model, of step {self.state.best_step:,}, stays." if self.checkpoints.best else ""
        return UserError(
            f"The {what} of step {self.state.step:,} is not finite (loss {result.loss}, gradient norm "
            f"{result.gradient_norm}): epoch {batch.epoch + 1}, batch {batch.number + 1}, {batch.sentences} pairs:\n"
            f"  {shown}\n"
            f"{best} Lower the learning rate or the norm that gradients are clipped to, or look at these lines; then "
            f"run the command again: it goes on from the last checkpoint."
        )

    def _tell(self, method: str, event: object) -> None:
        for observer in self.observers:
            getattr(observer, method)(event)
