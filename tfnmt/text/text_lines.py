"""The lines of a small text file that a person wrote: vocabularies and lexicons."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from tfnmt.errors import UserError

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def numbered_lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
    """The lines of a UTF-8 file with their numbers, from 1.

    Only a line feed ends a line. A carriage return before it and a byte-order mark at the start belong to the file
    format, not to the text; the last line may lack its line feed.

    Raises:
        UserError: the file cannot be read, or a line is not UTF-8.
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise UserError(f"Cannot read {path}: {error.strerror}.") from error
    lines = content.removeprefix(_BYTE_ORDER_MARK).split(b"\n")
    if not lines[-1]:
        lines.pop()  # what follows the last line feed is no line
    for number, line in enumerate(lines, start=1):
        try:
            yield number, line.removesuffix(b"\r").decode()
        except UnicodeDecodeError as error:
            raise UserError(
                f"{path}, line {number}: not valid UTF-8 at byte {error.start + 1} of the line. Save the file as UTF-8."
            ) from error
