"""The processes that train one network together: who writes, and how they stay in step."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import tensorflow as tf

from tfnmt.errors import UserError
from tfnmt.training.writing import first_line

_CAUSE = re.compile(r"aborted by: *(.*)")
"""What TensorFlow says after the places in the graph at which it happened."""

_FAREWELL = 2.0
"""Seconds that a member stays after the last meeting: to leave at once would cut off who is still hearing from it."""


class LostWorkers(UserError):
    """Another member of the team is gone; TensorFlow cannot even shut down without it."""


class Word(NamedTuple):
    """What the members of a team tell each other after a step."""

    interrupted: bool  # any of them was asked to stop
    seconds: float  # the chief's clock, by which all of them go


class Team:
    """This process alone, whatever number of devices it has.

    What a run decides by the clock, by a signal or by the text it translates, it decides through its team, so that all
    members decide alike and none waits for a step that another does not take.
    """

    size = 1
    is_chief = True

    def agree(self, interrupted: bool, seconds: float) -> Word:
        """What counts for all; called by every member after every step."""
        return Word(interrupted, seconds)

    def share(self, value: float) -> float:
        """The chief's value."""
        return value

    def meet(self) -> None:
        """Wait until every member is here."""

    def part(self) -> None:
        """Meet for the last time: whoever has left, no other member may wait for it any more."""

    @contextmanager
    def together(self) -> Iterator[None]:
        """No member leaves the block before all have entered it, and none goes on before all have left it."""
        self.meet()
        yield
        self.meet()

    @contextmanager
    def chief_first(self) -> Iterator[None]:
        """The chief passes the block, then the others: what it writes there, they read."""
        yield

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Raises:
        LostWorkers: inside the block another member was lost."""
        yield


class Workers(Team):
    """The worker processes of a `MultiWorkerMirroredStrategy`; the first is the chief, who alone writes.

    Args:
        strategy: theirs.
    """

    def __init__(self, strategy: tf.distribute.MultiWorkerMirroredStrategy) -> None:
        resolver = strategy.cluster_resolver
        jobs = resolver.cluster_spec().as_dict()
        self.size = sum(len(addresses) for addresses in jobs.values())
        self.is_chief = resolver.task_type == "chief" or ("chief" not in jobs and resolver.task_id == 0)
        self.strategy = strategy
        self._total = tf.function(
            lambda values: strategy.experimental_local_results(strategy.run(self._summed, args=(values,)))[0],
            input_signature=[tf.TensorSpec([None], tf.float64)],
            autograph=False,
        )

    def agree(self, interrupted: bool, seconds: float) -> Word:
        interruptions, time = self._sum(float(interrupted), seconds if self.is_chief else 0.0)
        return Word(interruptions > 0, time)

    def share(self, value: float) -> float:
        (shared,) = self._sum(value if self.is_chief else 0.0)
        return shared

    def meet(self) -> None:
        self._sum(0.0)

    def part(self) -> None:
        self.meet()
        time.sleep(_FAREWELL)

    @contextmanager
    def chief_first(self) -> Iterator[None]:
        if not self.is_chief:
            self.meet()
        yield
        if self.is_chief:
            self.meet()

    @contextmanager
    def watched(self) -> Iterator[None]:
        try:
            yield
        except (
            tf.errors.UnavailableError,
            tf.errors.AbortedError,
            tf.errors.CancelledError,
            tf.errors.DeadlineExceededError,
            tf.errors.FailedPreconditionError,
            tf.errors.InternalError,
        ) as error:
            cause = _CAUSE.search(str(error))
            raise LostWorkers(
                f"Another worker of this run no longer answers: it ended, or the network between them did. The last "
                f"checkpoint is intact: start all workers again and they go on from it.\n"
                f"TensorFlow says: {cause[1] if cause else first_line(error)}"
            ) from error

    def _sum(self, *values: float) -> list[float]:
        return list(self._total(tf.constant(values, tf.float64)).numpy().tolist())

    def _summed(self, values: tf.Tensor) -> tf.Tensor:
        """Over the workers, each of which speaks through its first device."""
        context = tf.distribute.get_replica_context()
        devices = context.num_replicas_in_sync // self.size
        speaks = context.replica_id_in_sync_group % devices == 0
        return context.all_reduce(tf.distribute.ReduceOp.SUM, tf.where(speaks, values, tf.zeros_like(values)))


def team(strategy: tf.distribute.Strategy) -> Team:
    """The team whose member this process is."""
    return Workers(strategy) if isinstance(strategy, tf.distribute.MultiWorkerMirroredStrategy) else Team()
