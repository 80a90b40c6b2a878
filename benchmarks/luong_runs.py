"""Trainings of the systems of Luong et al. at a size and for a time that two CPU cores have, each once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks import runs
from tfnmt.zoo.run_directory import RunDirectory

NO_DROPOUT = ("model.encoder.dropout=0.0", "model.decoder.dropout=0.0")
WARM_UP = 200
"""Updates in which the learning rate of the profile `multi30k` rises."""


def folder(runs_directory: Path, text: str, steps: int, units: int) -> Path:
    """Where trainings on a text are kept, by what tells them apart: none is taken for one of other steps or sizes."""
    return runs_directory / f"{text}-{steps}-steps-{units}-units"


def train(
    recipe: str,
    place: Path,
    languages: tuple[str, str],
    files: Mapping[str, Sequence[str]],
    steps: int,
    units: int,
    settings: Sequence[str] = (),
) -> None:
    """`tfnmt train` in the profile `multi30k`, unless that run is done; one that was stopped goes on.

    Args:
        recipe: one of the zoo.
        place: the run's directory.
        languages: of source and target, the ends of the files' names.
        files: as `runs.texts` takes them.
        steps: updates.
        units: cells of a layer, and the size of a word vector.
        settings: more for the recipe, `key=value` each.
    """
    if is_done(place, steps):
        return
    sizes = [f"model.{side}.{size}={units}" for side in ("encoder", "decoder") for size in ("embedding_size", "units")]
    if "local_p" in recipe:
        sizes.append(f"model.decoder.attention.window.units={units}")
    schedule = [f"training.steps={steps}", "training.epochs=1000"]
    schedule.append(f"training.optimizer.learning_rate.decay_steps={max(steps - WARM_UP, 1)}")
    arguments = ["--profile", "multi30k", "--languages", "-".join(languages), *runs.texts(languages, files)]
    runs.train(recipe, place, *arguments, settings=[*schedule, *sizes, *settings])


def is_done(place: Path, steps: int) -> bool:
    validated = runs.figures(place, "validation")
    return bool(validated) and validated[-1]["step"] >= steps and RunDirectory(place).translator.is_file()
