"""The figures of a run for a program: one JSON object a line."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tfnmt.training.observer import Observer, Start, StepReport, ValidationReport
from tfnmt.training.summary import Window
from tfnmt.training.writing import writing


class MetricsLog(Observer):
    """Appends to a file, by steps and so at the same places in every run of a recipe.

    A line is `{"kind": "training", …}` with the fields of `Summary`, or `{"kind": "validation", "step": …, …}` with the
    results. A training loss that is not the negative log-likelihood stands under its own name, and has no perplexity. A
    number that JSON has no word for (infinite, undefined) is null. A last line that a full disk cut short is removed.

    Args:
        path: the file; made if need be.
        every_steps: how many steps a training line sums up.
    """

    def __init__(self, path: Path | str, every_steps: int = 50) -> None:
        self.path = Path(path)
        self.every_steps = every_steps
        self._window = Window()
        self._loss_name: str | None = None

    def started(self, start: Start) -> None:
        self._loss_name = start.loss_name
        if self.path.is_file():
            with writing("The figures", self.path), self.path.open("rb+") as file:
                written = file.read()
                file.truncate(written.rfind(b"\n") + 1)

    def stepped(self, report: StepReport) -> None:
        self._window.add(report)
        if report.step % self.every_steps == 0:
            figures = asdict(self._window.close())
            if self._loss_name is not None:
                figures = {self._loss_name: figures.pop("loss"), **figures}
                del figures["perplexity"]
            self._append("training", figures)

    def validated(self, report: ValidationReport) -> None:
        self._append("validation", {"step": report.step, "is_best": report.is_best, **report.results})

    def _append(self, kind: str, figures: dict[str, Any]) -> None:
        finite = {name: value if math.isfinite(value) else None for name, value in figures.items()}
        with writing("A line of figures", self.path), self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"kind": kind, **finite}) + "\n")
