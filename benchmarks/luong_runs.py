"""Trainings of the systems of Luong et al. at a size and for a time that two CPU cores have, each once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tfnmt.zoo.run_directory import RunDirectory

REPOSITORY = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("TFNMT_DATA", REPOSITORY.parent / "shared" / "data"))
NO_DROPOUT = ("model.encoder.dropout=0.0", "model.decoder.dropout=0.0")
WARM_UP = 200
"""Updates in which the learning rate of the profile `multi30k` rises."""


def train(
    place: Path,
    recipe: str,
    languages: tuple[str, str],
    files: Mapping[str, Sequence[str]],
    steps: int,
    units: int,
    settings: Sequence[str] = (),
) -> None:
    """`tfnmt train` in the profile `multi30k`, unless that run is done; one that was stopped goes on.

    Args:
        place: the run's directory.
        recipe: one of the zoo.
        languages: of source and target, the ends of the files' names.
        files: of `train`, `valid` and perhaps `test`, names of files without their language, as `found` finds them.
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
    command = [sys.executable, "-m", "tfnmt", "train", recipe, "--profile", "multi30k", "--run", str(place)]
    command += ["--languages", "-".join(languages)]
    for split, names in files.items():
        for name in names:
            for side, language in zip(("source", "target"), languages, strict=True):
                command += [f"--{split}-{side}", found(f"{name}.{language}")]
    for setting in (*schedule, *sizes, *settings):
        command += ["--set", setting]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(REPOSITORY), os.environ.get("PYTHONPATH", "")])}
    subprocess.run(command, check=True, env=environment)


def is_done(place: Path, steps: int) -> bool:
    validated = list(figures(place, "validation"))
    return bool(validated) and validated[-1]["step"] >= steps and RunDirectory(place).translator.is_file()


def figures(place: Path, kind: str) -> Iterator[dict[str, Any]]:
    """Those of a kind that a run has written so far, in their order."""
    path = RunDirectory(place).metrics
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return (record for record in map(json.loads, lines) if record["kind"] == kind)


def found(name: str) -> str:
    """The file of that name, compressed or not, here or among the shared corpora."""
    for folder in (Path(), DATA):
        for path in (folder / name, folder / f"{name}.gz"):
            if path.is_file():
                return str(path)
    sys.exit(f"There is no '{name}', neither here nor in {DATA}.")
