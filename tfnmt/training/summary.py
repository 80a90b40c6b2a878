"""Many steps told as one line: means over a stretch of training."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tfnmt.evaluation.perplexity import perplexity
from tfnmt.training.observer import StepReport


@dataclass(frozen=True)
class Summary:
    """A stretch of steps.

    Attributes:
        step: the last of them.
        epoch: its epoch, from 1.
        loss: mean training loss of a target token (words and end symbols).
        perplexity: its exponential. It is a perplexity only where the loss is the negative log-likelihood.
        words_per_second: real target words (neither padding nor end symbols) in the time of the steps alone.
        padding_share: mean padded part of the batches.
        gradient_norm: mean norm of the gradient before clipping, over the updates that were taken.
        learning_rate: of the last step.
        seconds_spent: since the run began.
        seconds_left: an estimate; infinite without a limit.
    """

    step: int
    epoch: int
    loss: float
    perplexity: float
    words_per_second: float
    padding_share: float
    gradient_norm: float
    learning_rate: float
    seconds_spent: float
    seconds_left: float


class Window:
    """Collects the reports of steps until they are told."""

    def __init__(self) -> None:
        self._reports: list[StepReport] = []

    def __len__(self) -> int:
        return len(self._reports)

    def add(self, report: StepReport) -> None:
        self._reports.append(report)

    def close(self) -> Summary:
        """The summary of what was collected, at least one step; the window is empty after it."""
        reports, self._reports = self._reports, []
        last, count = reports[-1], len(reports)
        norms = [report.gradient_norm for report in reports if math.isfinite(report.gradient_norm)]
        loss, tokens = sum(report.loss for report in reports), sum(report.tokens for report in reports)
        return Summary(
            step=last.step,
            epoch=last.epoch + 1,
            loss=loss / tokens,
            perplexity=perplexity(loss, tokens),
            words_per_second=sum(r.target_words for r in reports) / max(sum(r.seconds for r in reports), 1e-9),
            padding_share=sum(report.padding_share for report in reports) / count,
            gradient_norm=sum(norms) / len(norms) if norms else math.nan,
            learning_rate=last.learning_rate,
            seconds_spent=last.seconds_spent,
            seconds_left=last.seconds_left,
        )
