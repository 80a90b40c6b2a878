"""Where the text is that benchmarks read."""

from __future__ import annotations

import itertools
import os
import sys
from pathlib import Path

from tfnmt.corpora.text_file import TextFile

REPOSITORY = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("TFNMT_DATA", REPOSITORY.parent / "shared" / "data"))
"""The shared corpora."""
MULTI30K = DATA / "multi30k"


def found(name: str) -> Path:
    """The file or folder of that name, compressed or not, here or among the shared corpora."""
    for folder in (Path(), DATA):
        for path in (folder / name, folder / f"{name}.gz"):
            if path.exists():
                return path
    sys.exit(f"There is no '{name}', neither here nor in {DATA}.")


def lines(path: Path, most: int | None = None) -> list[str]:
    """The first lines of a text, compressed or not; all without `most`."""
    return [line.text for line in itertools.islice(TextFile(path), most)]
