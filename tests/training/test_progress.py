"""What a person sees of a run."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from tests.training.test_summary import REPORT
from tfnmt.training.observer import End, Observer, Start, ValidationReport
from tfnmt.training.progress import ProgressBar, ProgressLines, duration, progress
from tfnmt.training.state import TrainingState

START = Start(TrainingState(), replicas=1, parameters=12345, resumed=False, loss_name=None)


def told(observer: Observer, start: Start = START, loss: float = 30.0) -> None:
    observer.started(start)
    observer.stepped(replace(REPORT, loss=loss))
    results = {"loss": 2.5, "bleu": 31.25}
    observer.validated(ValidationReport(1, 0, results, is_best=True, best_step=1, seconds=3.2))
    observer.ended(End(TrainingState(step=1, seconds=61.0), "finished: step 1 of 1"))


def test_lines_say_everything_once() -> None:
    lines: list[str] = []
    told(ProgressLines(lines.append))
    assert lines == [
        "Training begins: 12,345 weights on 1 device.",
        "epoch 1  step 1  loss 3.000  perplexity 20.09  16 words/s  rate 0.5  gradient norm 3.00  left 0:01:40",
        "validation at step 1: loss 2.500  bleu 31.250  (best so far; 3 s)",
        "Training finished: step 1 of 1 (0:01:01 in all).",
    ]


def test_the_start_says_how_many_replicas_share_a_batch_and_where_it_goes_on() -> None:  # C67
    lines: list[str] = []
    told(ProgressLines(lines.append), replace(START, replicas=2, resumed=True, state=TrainingState(step=1500)))
    assert lines[0] == "Going on from step 1,500: 12,345 weights on 2 replicas in sync, which share each batch."


@pytest.mark.parametrize(("loss", "shown"), [(10_000.0, "inf"), (float("nan"), "nan")])
def test_a_loss_beyond_every_number_is_told_without_an_error(loss: float, shown: str) -> None:  # C32
    lines: list[str] = []
    told(ProgressLines(lines.append), loss=loss)
    assert f"perplexity {shown}  " in lines[1]


def test_a_loss_that_is_no_likelihood_has_no_perplexity() -> None:  # C33, C37
    lines: list[str] = []
    told(ProgressLines(lines.append), replace(START, loss_name="sampled loss"))
    assert "sampled loss 3.000" in lines[1]
    assert "perplexity" not in lines[1]


def test_a_terminal_gets_a_bar_and_a_file_gets_lines() -> None:
    def console(terminal: bool) -> Console:
        return Console(file=io.StringIO(), force_terminal=terminal, width=120, color_system=None)

    file, terminal = console(False), console(True)
    bar = progress(terminal)
    assert isinstance(bar, ProgressBar)
    told(bar)
    told(progress(file))
    for shown in (file, terminal):
        text = shown.file.getvalue()  # type: ignore[attr-defined]
        assert "validation at step 1: loss 2.500  bleu 31.250" in text
        assert "Training finished: step 1 of 1" in text
    assert "\x1b" not in file.file.getvalue()  # type: ignore[attr-defined]


def test_durations() -> None:
    assert [duration(seconds) for seconds in (0.4, 3661, float("inf"))] == ["0:00:00", "1:01:01", "no limit"]
