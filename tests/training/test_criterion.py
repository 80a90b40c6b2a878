"""Which validation is the best."""

from __future__ import annotations

import math

from tfnmt.training.criterion import Criterion
from tfnmt.training.state import TrainingState


def judged(criterion: Criterion, values: list[float]) -> tuple[list[bool], TrainingState]:
    state, verdicts = TrainingState(), []
    for value in values:
        state.step += 10
        verdicts.append(criterion.judge(value, state))
    return verdicts, state


def test_the_best_is_kept_and_of_equals_the_earlier() -> None:  # C65
    verdicts, state = judged(Criterion("bleu", larger_is_better=True), [5, 9, 7, 9, 4, 3])
    assert verdicts == [True, True, False, False, False, False]
    assert (state.best_value, state.best_step, state.disappointments) == (9, 20, 4)


def test_a_loss_is_better_when_it_is_smaller() -> None:
    assert judged(Criterion(), [3.0, 2.0, 2.5, 1.0])[0] == [True, True, False, True]


def test_a_score_of_zero_is_a_score() -> None:
    assert judged(Criterion("bleu", larger_is_better=True), [0.0, 0.0, 0.1])[0] == [True, False, True]


def test_what_is_undefined_is_never_the_best() -> None:
    verdicts, state = judged(Criterion(), [math.nan, 2.0, math.nan])
    assert verdicts == [False, True, False]
    assert state.best_value == 2.0


def test_patience_counts_validations_in_a_row() -> None:
    criterion = Criterion(patience=2)
    assert not criterion.hopeless(judged(criterion, [3.0, 4.0, 2.0, 2.0])[1])
    assert criterion.hopeless(judged(criterion, [3.0, 4.0, 2.0, 2.0, 2.5])[1])
    assert not Criterion().hopeless(judged(Criterion(), [1.0, *[2.0] * 50])[1])
