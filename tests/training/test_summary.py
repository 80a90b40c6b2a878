"""Many steps told as one."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from tfnmt.training.observer import StepReport
from tfnmt.training.summary import Window

REPORT = StepReport(
    step=1,
    epoch=0,
    batch=0,
    loss=30.0,
    tokens=10,
    target_words=8,
    sentences=2,
    padding_share=0.1,
    learning_rate=0.5,
    gradient_norm=3.0,
    seconds=0.5,
    seconds_spent=7.0,
    seconds_left=100.0,
)


def test_means_weigh_tokens_not_batches() -> None:
    window = Window()
    window.add(REPORT)
    window.add(
        replace(REPORT, step=2, epoch=1, loss=10.0, tokens=30, target_words=28, padding_share=0.3, gradient_norm=5.0)
    )
    summary = window.close()
    assert (summary.step, summary.epoch, summary.loss) == (2, 2, 1.0)
    assert summary.perplexity == pytest.approx(math.e)
    assert summary.words_per_second == 36.0
    assert summary.padding_share == pytest.approx(0.2)
    assert summary.gradient_norm == 4.0
    assert len(window) == 0


def test_a_step_that_float16_could_not_bear_has_no_say_in_the_norm() -> None:
    window = Window()
    for norm in (3.0, math.inf):
        window.add(replace(REPORT, gradient_norm=norm))
    assert window.close().gradient_norm == 3.0
