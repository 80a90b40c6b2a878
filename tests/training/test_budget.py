"""When a run ends."""

from __future__ import annotations

import math

import pytest

from tfnmt.training.budget import Budget
from tfnmt.training.state import TrainingState


@pytest.mark.parametrize(
    ("budget", "words"),
    [
        (Budget(), None),
        (Budget(steps=1001, epochs=4, minutes=2), None),
        (Budget(steps=1000), "step 1,000 of 1,000"),
        (Budget(steps=10), "step 1,000 of 10"),
        (Budget(epochs=3), "epoch 3 of 3"),
        (Budget(minutes=1.5), "minute 1.6 of 1.5"),
    ],
)
def test_the_limit_that_is_reached_is_named_with_both_numbers(budget: Budget, words: str | None) -> None:
    assert budget.reached(TrainingState(step=1000, epoch=3, seconds=95.0)) == words


def test_the_time_left_is_that_of_the_nearest_limit() -> None:
    state = TrainingState(step=100, seconds=60.0)
    assert Budget(steps=200).seconds_left(state, 2.0, math.inf) == 50
    assert Budget(steps=200, minutes=1.5).seconds_left(state, 2.0, math.inf) == 30
    assert Budget(epochs=3).seconds_left(state, 2.0, 40) == 10
    assert Budget().seconds_left(state, 2.0, math.inf) == math.inf
    assert Budget(steps=50).seconds_left(state, 2.0, math.inf) == 0
