"""Words as labels in a picture, whatever their script: every character is drawn, or spelt out if no font has it."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

from matplotlib import font_manager
from matplotlib.text import Text

_FIRST = "DejaVu Sans"  # comes with matplotlib: Latin, Greek, Cyrillic, Arabic, Hebrew and more
_BOXES = "Last Resort"  # begins the names of fonts whose every glyph is a box that stands for a block of characters


class Labels:
    """How one picture writes its words.

    matplotlib draws a box and warns where a font lacks a glyph. So the fonts of this machine are asked first: the
    labels use every font they need, and a character that no font has is replaced by its code point, as in "U+4F60".

    Args:
        words: everything that will be written with these labels.
    """

    def __init__(self, words: Iterable[str]):
        characters = {character for word in words for character in word}
        homes = {character: _font_with(ord(character)) for character in sorted(characters)}
        self._missing = {character: f"U+{ord(character):04X}" for character, font in homes.items() if font is None}
        others = {font for font in homes.values() if font not in (None, _FIRST)}
        self._families = [_FIRST, *sorted(font for font in others if font)]

    def write(self, word: str) -> str:
        """The word in characters that the fonts have."""
        return "".join(self._missing.get(character, character) for character in word)

    def style(self, texts: Iterable[Text], **properties: Any) -> None:
        """Give texts that hold written words their fonts; a dollar sign in them is no mathematics."""
        for text in texts:
            text.set(fontfamily=self._families, parse_math=False, **properties)


@functools.cache
def _font_with(code_point: int) -> str | None:
    """Name of a font of this machine that has the character, the usual one if it does."""
    if code_point in _characters(font_manager.findfont(_FIRST)):
        return _FIRST
    for font in sorted(font_manager.fontManager.ttflist, key=lambda entry: (entry.style != "normal", entry.name)):
        if not font.name.startswith(_BOXES) and code_point in _characters(font.fname):
            return font.name
    return None


@functools.cache
def _characters(path: str) -> frozenset[int]:
    try:
        return frozenset(font_manager.get_font(path).get_charmap())
    except (OSError, RuntimeError):  # the file has gone, or is no font that can be read
        return frozenset()
