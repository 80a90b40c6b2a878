"""From a list of words to a line of text."""

from __future__ import annotations

_CLOSING = (",", ".", "?")


def line(words: list[str], end: str) -> str:
    """Words as a sentence: a capital at the start, commas at their words, and the end."""
    text = ""
    for word in words:
        text += word if word in _CLOSING or not text else " " + word
    return text[0].upper() + text[1:] + end
