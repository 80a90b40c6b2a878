"""How long a run may take."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tfnmt.training.state import TrainingState


@dataclass(frozen=True)
class Budget:
    """Limits of a run from its very beginning, resumed parts included; the first one reached ends it.

    Args:
        epochs: passes over the corpus.
        steps: updates.
        minutes: time in the loop, validation included.
    """

    epochs: float = math.inf
    steps: float = math.inf
    minutes: float = math.inf

    def reached(self, state: TrainingState) -> str | None:
        """Which limit is reached, in words that name both numbers; `None` while there is something left."""
        if state.step >= self.steps:
            return f"step {state.step:,} of {self.steps:,}"
        if state.epoch >= self.epochs:
            return f"epoch {state.epoch} of {self.epochs}"
        if state.seconds >= 60 * self.minutes:
            return f"minute {state.seconds / 60:.1f} of {self.minutes:g}"
        return None

    def seconds_left(self, state: TrainingState, steps_per_second: float, steps_per_epoch: float) -> float:
        """An estimate; infinite without a limit.

        Args:
            steps_per_second: as measured lately.
            steps_per_epoch: infinite while it is not known.
        """
        steps = min(self.steps, self.epochs * steps_per_epoch) - state.step
        return max(0.0, min(steps / max(steps_per_second, 1e-9), 60 * self.minutes - state.seconds))
