"""The one exception that means "the user can mend this"."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class UserError(Exception):
    """A mistake in what the user handed in: a file, a name, a number.

    The message says what was wrong, where, what was expected and what to do. A command prints it without a traceback
    and exits non-zero; a program may catch it.
    """


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint that ends an error about an unknown name: the nearest known one, or all of them if none is near."""
    choices = sorted(known)
    close = difflib.get_close_matches(name, choices, n=1, cutoff=0.5)
    if close:
        return f"Did you mean '{close[0]}'?"
    return "Known: " + ", ".join(choices) + "." if choices else "None is known."
