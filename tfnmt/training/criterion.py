"""Which validation is the best one, and when hope is lost."""

from __future__ import annotations

from dataclasses import dataclass

from tfnmt.training.state import TrainingState


@dataclass(frozen=True)
class Criterion:
    """Compares validations by one metric and ends a run that no longer improves.

    Args:
        metric: its name in the validations' results, for instance `loss` or `bleu`.
        larger_is_better: whether the larger of two values wins. Of equal values the earlier wins.
        patience: after how many validations in a row without improvement the run ends; `None` for never.
    """

    metric: str = "loss"
    larger_is_better: bool = False
    patience: int | None = None

    def judge(self, value: float, state: TrainingState) -> bool:
        """Enter a validation at the present step into the state; true if it is the best so far."""
        state.last_validation = state.step
        best = state.best_value
        # not-a-number is never better than anything
        better = value == value and (best is None or (value > best if self.larger_is_better else value < best))
        if better:
            state.best_value, state.best_step, state.disappointments = value, state.step, 0
        else:
            state.disappointments += 1
        return better

    def hopeless(self, state: TrainingState) -> bool:
        """Whether the patience is at its end."""
        return self.patience is not None and state.disappointments >= self.patience
