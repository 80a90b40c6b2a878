"""What a person hands to the translator: checked, and said plainly what is wrong with it."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any, TypeVar

from tfnmt.errors import UserError

Given = TypeVar("Given")


def whole_number(name: str, number: Any, least: int) -> int:
    """`number`, called `name`, as an integer that is `least` or more.

    Raises:
        UserError: it is not.
    """
    try:
        whole = operator.index(number)
    except TypeError:
        raise UserError(f"{name} must be a whole number of {least} or more, not {number!r}.") from None
    if whole < least:
        raise UserError(f"{name} must be {least} or more, not {whole}.")
    return whole


def of_kind(name: str, given: Given, kind: Any) -> Given:
    """`given`, called `name`, which is of the class or union of classes `kind`.

    Raises:
        TypeError: it is something else.
    """
    if not isinstance(given, kind):
        raise TypeError(f"{name} must be a {getattr(kind, '__name__', kind)}, not {given!r:.80}")
    return given


def listed(name: str, strings: Iterable[str]) -> list[str]:
    """`strings`, called `name`, as a list.

    Raises:
        UserError: they are one string, whose characters would be taken for them.
    """
    if isinstance(strings, str | bytes):
        raise UserError(f"{name} must be a list of strings, not one string: put it into brackets.")
    return list(strings)


def encoded(name: str, strings: Iterable[str]) -> list[bytes]:
    """Strings in UTF-8; what UTF-8 cannot hold (half of a surrogate pair) becomes a question mark.

    Raises:
        UserError: `strings`, called `name`, is one string, or holds something else.
    """
    result = []
    for number, string in enumerate(listed(name, strings)):
        if not isinstance(string, str):
            raise UserError(f"{name}[{number}] must be a string, not {type(string).__name__}: {string!r:.80}")
        result.append(string.encode("utf-8", errors="replace"))
    return result


def encoded_pairs(sources: Iterable[str], targets: Iterable[str]) -> tuple[list[bytes], list[bytes]]:
    """Both sides of sentence pairs in UTF-8.

    Raises:
        UserError: they are not strings, or not equally many.
    """
    pairs = encoded("sources", sources), encoded("targets", targets)
    if len(pairs[0]) != len(pairs[1]):
        raise UserError(
            f"{len(pairs[0])} sources and {len(pairs[1])} targets: each source needs one target, in the same order."
        )
    return pairs
