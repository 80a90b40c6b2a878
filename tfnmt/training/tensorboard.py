"""A run in TensorBoard: curves, attention matrices, sample translations, the recipe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import tensorflow as tf

from tfnmt.evaluation.pictures import attention_matrix, to_png
from tfnmt.training.observer import End, Observer, Start, StepReport, ValidationReport
from tfnmt.training.samples import Sample
from tfnmt.training.summary import Window
from tfnmt.training.writing import writing

_DOTS_PER_INCH = 64
"""TensorBoard fits a picture into a card of some 300 points and drops pixels: at this scale a sentence of a dozen words
keeps its own. Longer ones are read with "show actual image size"."""


class TensorBoardLog(Observer):
    """Writes the event files that `tensorboard --logdir` shows.

    Args:
        directory: where the files go.
        recipe: the effective recipe as TOML, shown as text.
        samples: translates the fixed sentences that are shown after each validation; `None` for none.
        every_steps: how many steps a point of the training curves sums up.
    """

    def __init__(
        self,
        directory: Path | str,
        recipe: str = "",
        samples: Callable[[], Sequence[Sample]] | None = None,
        every_steps: int = 20,
    ) -> None:
        self.directory = Path(directory)
        self.recipe = recipe
        self.samples = samples
        self.every_steps = every_steps
        self._window = Window()
        self._loss_name: str | None = None
        self._writer: Any = None

    def started(self, start: Start) -> None:
        self._loss_name = start.loss_name
        with self._writing():
            self._writer = tf.summary.create_file_writer(str(self.directory))
        if self.recipe:
            with self._writing(), self._writer.as_default(step=start.state.step):
                tf.summary.text("recipe", _code(self.recipe))

    def stepped(self, report: StepReport) -> None:
        self._window.add(report)
        if report.step % self.every_steps:
            return
        summary = self._window.close()
        curves = {
            self._loss_name or "loss": summary.loss,
            "learning rate": summary.learning_rate,
            "gradient norm": summary.gradient_norm,
            "words per second": summary.words_per_second,
            "padding share": summary.padding_share,
        }
        if self._loss_name is None:
            curves["perplexity"] = summary.perplexity
        self._scalars("training", curves, report.step)

    def validated(self, report: ValidationReport) -> None:
        self._scalars("validation", dict(report.results), report.step)
        if self.samples is not None:
            self._show(self.samples(), report.step)
        with self._writing():
            self._writer.flush()

    def ended(self, end: End) -> None:
        if self._writer is not None:
            with self._writing():
                self._writer.close()

    def _writing(self) -> AbstractContextManager[None]:
        return writing("TensorBoard's log", self.directory)

    def _scalars(self, group: str, values: dict[str, float], step: int) -> None:
        with self._writing(), self._writer.as_default(step=step):
            for name, value in values.items():
                tf.summary.scalar(f"{group}/{name}", value)

    def _show(self, samples: Sequence[Sample], step: int) -> None:
        with self._writing(), self._writer.as_default(step=step):
            tf.summary.text("translations", _table(samples))
            for number, sample in enumerate(samples, start=1):
                alignment = sample.alignment
                if not alignment.weights.size:
                    continue  # an empty translation has no picture
                figure = attention_matrix(alignment.source_tokens, alignment.target_tokens, alignment.weights)
                picture = tf.image.decode_png(to_png(figure, _DOTS_PER_INCH), channels=3)[tf.newaxis]
                tf.summary.image(f"attention/sentence {number}", picture, description=_described(sample))


def _table(samples: Sequence[Sample]) -> str:
    """Markdown, a row for each sentence."""
    rows = [
        f"| {number} | {_cell(sample.source)} | {_cell(sample.hypothesis)} | {_cell(sample.reference)} |"
        for number, sample in enumerate(samples, start=1)
    ]
    return "\n".join(["| | source | translation | reference |", "|---|---|---|---|", *rows])


def _described(sample: Sample) -> str:
    return f"source: {_cell(sample.source)}\n\nreference: {_cell(sample.reference)}"


def _cell(text: str) -> str:
    """Plain text for Markdown: nothing in a sentence is markup."""
    return "".join(f"&#{ord(character)};" if character in "|*_`<>[]\\&#~!" else character for character in text)


def _code(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
