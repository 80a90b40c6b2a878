"""The progress of a run for a person: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from tfnmt.training.observer import End, Observer, Start, StepReport, ValidationReport
from tfnmt.training.summary import Summary, Window


def duration(seconds: float) -> str:
    """`h:mm:ss`; an endless time is `no limit`."""
    return "no limit" if seconds == float("inf") else str(timedelta(seconds=round(seconds)))


def in_words(summary: Summary, loss_name: str | None) -> str:
    """One line about a stretch of steps.

    Args:
        summary: the stretch.
        loss_name: what the training loss is called where it is not the negative log-likelihood; it has no perplexity.
    """
    quality = f"loss {summary.loss:.3f}  perplexity {summary.perplexity:.2f}"
    return (
        f"epoch {summary.epoch}  step {summary.step:,}  "
        + (quality if loss_name is None else f"{loss_name} {summary.loss:.3f}")
        + f"  {summary.words_per_second:,.0f} words/s  rate {summary.learning_rate:.3g}"
        + f"  gradient norm {summary.gradient_norm:.2f}  left {duration(summary.seconds_left)}"
    )


class ProgressLines(Observer):
    """Writes plain lines: the start, a stretch of steps now and then, each validation, the end.

    Loss and perplexity are means over the target tokens (words and end symbols) since the line before; words per
    second are real target words, neither padding nor end symbols, in the time of the steps.

    Args:
        write: takes one line, without its end.
        every_seconds: how often a stretch of steps is written.
    """

    def __init__(self, write: Callable[[str], None] = print, every_seconds: float = 10.0) -> None:
        self.write = write
        self.every_seconds = every_seconds
        self._window = Window()
        self._last_line = 0.0
        self._loss_name: str | None = None

    def started(self, start: Start) -> None:
        verb = f"Going on from step {start.state.step:,}" if start.resumed else "Training begins"
        devices = "1 device" if start.replicas == 1 else f"{start.replicas} replicas in sync, which share each batch"
        self.write(f"{verb}: {start.parameters:,} weights on {devices}.")
        self._loss_name = start.loss_name
        self._last_line = time.monotonic()

    def stepped(self, report: StepReport) -> None:
        self._window.add(report)
        if time.monotonic() - self._last_line >= self.every_seconds:
            self._flush()

    def validated(self, report: ValidationReport) -> None:
        self._flush()
        results = "  ".join(f"{name} {value:.3f}" for name, value in report.results.items())
        standing = "best so far" if report.is_best else f"the best was step {report.best_step:,}"
        self.write(f"validation at step {report.step:,}: {results}  ({standing}; {report.seconds:.0f} s)")

    def ended(self, end: End) -> None:
        self._flush()
        self.write(f"Training {end.reason} ({duration(end.state.seconds)} in all).")

    def _flush(self) -> None:
        if len(self._window):
            self.write(in_words(self._window.close(), self._loss_name))
            self._last_line = time.monotonic()


class ProgressBar(ProgressLines):
    """Keeps the present stretch of steps in one moving line at the bottom of a terminal, the rest above it.

    Args:
        console: a terminal.
        every_seconds: how often the line changes.
    """

    def __init__(self, console: Console, every_seconds: float = 1.0) -> None:
        self._bar = Progress(
            BarColumn(bar_width=20), TextColumn("{task.description}"), console=console, transient=True, expand=True
        )
        self._task = self._bar.add_task("", total=None)
        super().__init__(lambda line: self._bar.console.print(line, highlight=False, markup=False), every_seconds)

    def started(self, start: Start) -> None:
        super().started(start)
        self._bar.update(self._task, description="the first step compiles the network …")
        self._bar.start()

    def ended(self, end: End) -> None:
        self._bar.stop()
        super().ended(end)

    def _flush(self) -> None:
        if len(self._window):
            summary = self._window.close()
            whole = summary.seconds_spent + summary.seconds_left
            total = None if whole == float("inf") else whole  # without a total the bar only pulses
            line = in_words(summary, self._loss_name)
            self._bar.update(self._task, total=total, completed=summary.seconds_spent, description=line)
            self._last_line = time.monotonic()


def progress(console: Console) -> Observer:
    """The progress that suits where it is shown."""
    if console.is_terminal:
        return ProgressBar(console)
    return ProgressLines(lambda line: console.print(line, highlight=False, markup=False, soft_wrap=True))
