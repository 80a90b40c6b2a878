"""Trainings by the product's own command, and what they have written."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.corpora import REPOSITORY, found
from tfnmt.zoo.run_directory import RunDirectory


def tfnmt(*arguments: str) -> None:
    """A command of the product; what it prints goes to standard error, since a benchmark prints its tables."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(REPOSITORY), os.environ.get("PYTHONPATH", "")])}
    subprocess.run([sys.executable, "-m", "tfnmt", *arguments], check=True, env=environment, stdout=sys.stderr)


def train(recipe: str, place: Path, *further: str, settings: Iterable[str] = ()) -> None:
    """`tfnmt train`, which goes on with a run that is there and says so of one that is done.

    Args:
        recipe: name or path.
        place: the run's directory.
        further: more arguments.
        settings: `key=value` each.
    """
    tfnmt("train", recipe, "--run", str(place), *further, *(part for text in settings for part in ("--set", text)))


def texts(languages: Sequence[str], files: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The arguments of `tfnmt train` that name its text.

    Args:
        languages: of source and target, the ends of the files' names.
        files: of `train`, `valid` and perhaps `test`, names of files without their language, as `found` finds them.
    """
    for split, names in files.items():
        for name in names:
            for side, language in zip(("source", "target"), languages, strict=True):
                yield from (f"--{split}-{side}", str(found(f"{name}.{language}")))


def figures(place: Path, kind: str) -> list[dict[str, Any]]:
    """Those of a kind that a run has noted so far, `training` or `validation`, in their order."""
    path = RunDirectory(place).metrics
    written = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return [record for record in map(json.loads, written) if record["kind"] == kind]


class Findings:
    """What was measured so far, in a JSON file that is written after each finding: nothing is measured twice.

    Args:
        path: of the file; its directory is made.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known = self._read()

    def once(self, name: str, find: Callable[[], Any], under: Any = None) -> Any:
        """What was found, or what `find` gives now.

        Args:
            name: of the finding.
            find: measures; what it returns must be JSON.
            under: the conditions, JSON. A finding under others is made again.
        """
        if not self._knows(name, under):
            found = find()
            self.known = {**self._read(), name: {"under": under, "found": found}}  # others may have written meanwhile
            self.path.parent.mkdir(parents=True, exist_ok=True)
            aside = self.path.with_suffix(f".{os.getpid()}")
            aside.write_text(json.dumps(self.known, indent=2) + "\n", encoding="utf-8")
            os.replace(aside, self.path)
        return self.known[name]["found"]

    def get(self, name: str, under: Any = None) -> Any:
        """What was found under these conditions, or None."""
        return self.known[name]["found"] if self._knows(name, under) else None

    def _knows(self, name: str, under: Any) -> bool:
        kept = self.known.get(name)
        return isinstance(kept, dict) and "found" in kept and kept.get("under") == under

    def _read(self) -> dict[str, Any]:
        return json.loads(self.path.read_text(encoding="utf-8")) if self.path.is_file() else {}


def training_speed(place: Path) -> float:
    """Real target words a second: the median over what the run noted after the first stretch, which compiles."""
    speeds = [record["words_per_second"] for record in figures(place, "training")]
    return statistics.median(speeds[1:] or speeds)
