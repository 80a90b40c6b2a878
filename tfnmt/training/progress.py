"""The progress of a run for a person: lines of text, about one in ten seconds."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

from tfnmt.evaluation.perplexity import perplexity
from tfnmt.training.observer import End, Observer, Start, StepReport, ValidationReport


def duration(seconds: float) -> str:
    """`h:mm:ss`; an endless time is `unlimited`."""
    return "unlimited" if seconds == float("inf") else str(timedelta(seconds=round(seconds)))


class ProgressLines(Observer):
    """Writes plain lines.

    Loss and perplexity are means over the target tokens (words and end symbols) since the line before; words per
    second are real target words, neither padding nor end symbols, in the time of the steps.

    Args:
        write: takes one line, without its end.
        every_seconds: how often a line is written.
    """

    def __init__(self, write: Callable[[str], None] = print, every_seconds: float = 10.0) -> None:
        self.write = write
        self.every_seconds = every_seconds
        self._last_line = time.monotonic()
        self._since: list[StepReport] = []

    def started(self, start: Start) -> None:
        verb = f"Going on from step {start.state.step:,}" if start.resumed else "Training"
        replicas = "1 device" if start.replicas == 1 else f"{start.replicas} replicas in sync"
        self.write(f"{verb}: {start.parameters:,} weights on {replicas}.")
        self._last_line = time.monotonic()

    def stepped(self, report: StepReport) -> None:
        self._since.append(report)
        if time.monotonic() - self._last_line >= self.every_seconds:
            self._flush()

    def validated(self, report: ValidationReport) -> None:
        self._flush()
        results = "  ".join(f"{name} {value:.3f}" for name, value in report.results.items())
        standing = "best so far" if report.is_best else f"best was step {report.best_step:,}"
        self.write(f"validation at step {report.step:,}: {results}  ({standing}; {report.seconds:.0f} s)")

    def ended(self, end: End) -> None:
        self._flush()
        self.write(f"Training {end.reason}; {duration(end.state.seconds)} in all.")

    def _flush(self) -> None:
        if not self._since:
            return
        last = self._since[-1]
        loss = sum(report.loss for report in self._since)
        tokens = sum(report.tokens for report in self._since)
        speed = sum(report.target_words for report in self._since) / sum(report.seconds for report in self._since)
        self.write(
            f"epoch {last.epoch + 1}  step {last.step:,}  loss {loss / tokens:.3f}  "
            f"perplexity {perplexity(loss, tokens):.2f}  {speed:,.0f} words/s  rate {last.learning_rate:.3g}  "
            f"gradient norm {last.gradient_norm:.2f}  left {duration(last.seconds_left)}"
        )
        self._since.clear()
        self._last_line = time.monotonic()
