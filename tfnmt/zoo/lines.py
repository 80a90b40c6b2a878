"""Lines in and lines out: one for one, whatever a line holds."""

from __future__ import annotations

import contextlib
import itertools
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO

from tfnmt.errors import UserError
from tfnmt.zoo.verb import load_tensorflow

STANDARD = "-"


def read(paths: Sequence[str]) -> Iterator[str]:
    """The lines of files one after the other, of standard input for `-`.

    Only a line feed ends a line (with or without a carriage return before it); bytes that are not UTF-8 become U+FFFD,
    for a line that cannot be read is still a line.

    Raises:
        UserError: a file is missing or cannot be read.
    """
    load_tensorflow()  # quietly, before the room of the corpora does it
    from tfnmt.corpora.text_file import Line, TextFile

    class AnyText(TextFile):
        def _decode(self, raw: bytes, number: int) -> Line:
            return super()._decode(raw.decode("utf-8", "replace").encode(), number)

    for path in paths:
        for line in AnyText("/dev/stdin" if path == STANDARD else path):
            yield line.text


def read_checked(path: str) -> list[str]:
    """The lines of one file that is to be compared with another: bytes that are not UTF-8 are an error here.

    Raises:
        UserError: the file is missing, cannot be read or is not UTF-8; names file and line.
    """
    load_tensorflow()  # quietly, before the room of the corpora does it
    from tfnmt.corpora.text_file import TextFile

    return [line.text for line in TextFile(path)]


def read_parallel(names: Sequence[str], paths: Sequence[str]) -> list[list[str]]:
    """The lines of files that belong together line by line.

    Args:
        names: the options that the files were given by, for the message.
        paths: the files.

    Raises:
        UserError: their numbers of lines differ, or there is no line at all.
    """
    sides = [read_checked(path) for path in paths]
    if len({len(side) for side in sides}) > 1:
        counts = ", ".join(
            f"{name} '{path}' has {len(side):,}" for name, path, side in zip(names, paths, sides, strict=True)
        )
        raise UserError(f"The numbers of lines differ: {counts}. Line n of one must belong to line n of the other.")
    if not sides[0]:
        raise UserError(f"'{paths[0]}' is empty: there is nothing to compare.")
    return sides


def windows(lines: Iterable[str], size: int) -> Iterator[list[str]]:
    """Up to `size` lines at a time, in constant memory for any number of lines."""
    iterator = iter(lines)
    while window := list(itertools.islice(iterator, size)):
        yield window


@contextlib.contextmanager
def writer(path: str) -> Iterator[IO[str]]:
    """A UTF-8 text file with line feeds, or standard output for `-`.

    Raises:
        UserError: the file cannot be written.
    """
    if path == STANDARD:
        yield sys.stdout
        return
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        stream = open(path, "w", encoding="utf-8", newline="\n")  # noqa: SIM115  (closed below)
    except OSError as error:
        raise UserError(f"'{path}' cannot be written: {error.strerror}.") from None
    with stream:
        yield stream
