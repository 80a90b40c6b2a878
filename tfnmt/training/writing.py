"""What is said when something of a run cannot be written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import tensorflow as tf

from tfnmt.errors import UserError


def first_line(error: Exception) -> str:
    """The first line of an error's message, or its name where it has none."""
    return next(iter(str(error).splitlines()), type(error).__name__)


@contextmanager
def writing(what: str, place: Path) -> Iterator[None]:
    """Inside the block only files are written.

    Args:
        what: is written, for the message: `A checkpoint`.
        place: the file or directory.

    Raises:
        UserError: it could not be written.
    """
    try:
        yield
    except (OSError, tf.errors.OpError) as error:
        raise UserError(
            f"{what} could not be written to '{place}': {first_line(error)}\n"
            f"The previous checkpoint is intact. Make room, or make the directory writable, and resume."
        ) from error
