"""`tfnmt curves RUN...`: the learning curves of several runs in one picture."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from tfnmt.errors import UserError, nearest
from tfnmt.zoo import measures
from tfnmt.zoo.run_directory import RunDirectory
from tfnmt.zoo.systems import System
from tfnmt.zoo.verb import Verb, load_tensorflow, run

UPDATES, MINUTES = "updates", "minutes"
LABELS = {"loss": "validation cost (ln perplexity)", "perplexity": "validation perplexity", "bleu": "validation BLEU"}
"""What the figures of a validation are called on the axis; others keep their own name."""


class Curve(NamedTuple):
    """One figure of a run's validations: where each was measured, and the figure there."""

    updates: list[float]
    minutes: list[float]
    values: list[float]


@click.command("curves", cls=Verb)
@click.argument("what", metavar="[NAME=]RUN...", nargs=-1, required=True)
@click.option("--output", default="curves.png", show_default=True, help="The PNG file to draw to.")
@click.option("--measure", default="loss", show_default=True, help="The figure to draw: loss, perplexity, bleu, ...")
@click.option("--across", type=click.Choice([UPDATES, MINUTES]), default=UPDATES, show_default=True,
              help="What runs along the picture: updates, or minutes of training.")  # fmt: skip
@click.option("--title", default="", help="A line above the picture.")
def command(what: tuple[str, ...], output: str, measure: str, across: str, title: str) -> None:
    """Draw how several runs learnt, as in figure 5 of Luong et al. (2015), from the figures that each run keeps.

    A RUN is a directory of `tfnmt train`, finished or not; NAME= names it in the picture. Everything else about them
    shows TensorBoard, all runs below a directory at once: tensorboard --logdir runs

    \b
    Examples:
      tfnmt curves runs/base runs/best
      tfnmt curves base=runs/luong-base local-p=runs/luong-p --output fig5.png
      tfnmt curves runs/base runs/best --measure bleu --across minutes
    """
    systems = [System.named(text) for text in what]
    names = Counter(system.name for system in systems)
    if twice := [name for name, number in names.items() if number > 1]:
        raise UserError(f"Two runs are called '{twice[0]}': give each a name of its own by NAME=RUN.")
    curves = {system.name: read(system.path, measure) for system in systems}
    load_tensorflow()
    from tfnmt.evaluation.pictures import learning_curves, to_png

    lines = {name: (getattr(curve, across), curve.values) for name, curve in curves.items()}
    figure = learning_curves(lines, across=across, up=LABELS.get(measure, f"validation {measure}"), title=title)
    measures.write_picture(Path(output), to_png(figure))
    click.echo(f"{len(curves)} learning curves in {output}")


def read(run_directory: str, measure: str) -> Curve:
    """One figure of all validations of a run so far.

    Raises:
        UserError: there is no run, no validation yet, or no such figure.
    """
    place = RunDirectory(run_directory)
    if not place.metrics.is_file():
        raise UserError(f"'{run_directory}' is no run with figures: '{place.metrics}' is missing.")
    training: dict[int, dict[str, Any]] = {}
    validations: dict[int, dict[str, Any]] = {}
    for line in place.metrics.read_text(encoding="utf-8").splitlines():
        figures = json.loads(line)
        # After a crash a run goes on from its last checkpoint and measures some steps again: the last word counts.
        {"training": training, "validation": validations}[figures["kind"]][figures["step"]] = figures
    steps = sorted(validations)
    if not steps:
        raise UserError(f"The run in '{run_directory}' has no validation yet.")
    known = [name for name in validations[steps[-1]] if name not in ("kind", "step", "is_best")]
    if measure not in known:
        raise UserError(f"The run in '{run_directory}' measures no '{measure}'. {nearest(measure, known)}")
    measured = [step for step in steps if validations[step].get(measure) is not None]
    return Curve(
        updates=[float(step) for step in measured],
        minutes=_minutes(measured, training),
        values=[float(validations[step][measure]) for step in measured],
    )


def _minutes(steps: Sequence[int], training: Mapping[int, Mapping[str, Any]]) -> list[float]:
    """When the run came to these steps, read off the lines of its training."""
    import numpy as np

    told = sorted(training)
    times = [0.0, *(training[step]["seconds_spent"] / 60 for step in told)]
    return [float(minute) for minute in np.interp(steps, [0, *told], times)]


if __name__ == "__main__":
    run(command, "python -m tfnmt.zoo.curves")
