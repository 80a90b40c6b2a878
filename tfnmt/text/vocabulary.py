"""The words a model knows: tokens <-> ids, the same four control symbols in every model."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path

import tensorflow as tf

from tfnmt.errors import UserError
from tfnmt.text.text_lines import numbered_lines

PAD, START, END, UNKNOWN = 0, 1, 2, 3
CONTROL_SYMBOLS = ("<pad>", "<s>", "</s>", "<unk>")
"""How the control symbols are written, in the order of their ids."""

# White space, controls, format characters and private use as of Unicode 14, written out: a file must not be read or
# written in another way by a Python that knows more characters.
_INVISIBLE = re.compile(
    "[\x00-\x20\x7f-\xa0\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u1680\u180e\u2000-\u200f\u2028-\u202f"
    "\u205f-\u2064\u2066-\u206f\u3000\ue000-\uf8ff\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U00013438"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f\U000f0000-\U000ffffd"
    "\U00100000-\U0010fffd]+"
)
_ESCAPED = re.compile(r"\\(\\|<|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})")


class Vocabulary(tf.Module):
    """An ordered set of tokens with their ids, usable inside the graph.

    Entry `i` has id `i + 4`; ids 0 to 3 are pad, start, end and unknown. The control symbols are ids, not strings: an
    entry that is spelled `<unk>` is an ordinary word with an id of its own, so no user text can produce a control
    symbol.

    Args:
        entries: the tokens, most frequent first by custom, without the control symbols.

    Raises:
        UserError: an entry is empty or occurs twice.
    """

    entries: tuple[str, ...]
    size: int
    fingerprint: str

    def __init__(self, entries: Iterable[str]) -> None:
        super().__init__(name="vocabulary")
        entries = tuple(entries)
        _check_distinct(entries)
        # Plain data goes past tf.Module's attribute tracking, which would wrap and save every string of the tuple.
        for name, value in (
            ("entries", entries),
            ("size", len(entries) + len(CONTROL_SYMBOLS)),
            ("fingerprint", hashlib.sha256(_file_content(entries)).hexdigest()),
        ):
            object.__setattr__(self, name, value)
        # "" is no entry; it is here since TensorFlow refuses an empty table. The ids count on from unknown.
        self._table = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(tf.constant(["", *entries]), tf.range(UNKNOWN, self.size)),
            default_value=UNKNOWN,
        )
        self._surfaces = tf.constant(["", "", "", CONTROL_SYMBOLS[UNKNOWN], *entries])

    @classmethod
    def from_counts(cls, counts: Mapping[str, int], size: int | None = None, minimum_count: int = 1) -> Vocabulary:
        """The most frequent tokens, by falling count and then by code point, so that equal corpora give equal files.

        Args:
            counts: how often each token was seen.
            size: the largest vocabulary size, the four control symbols included; None for no limit.
            minimum_count: tokens seen less often are left out.

        Raises:
            UserError: `size` leaves no room for a single token.
        """
        if size is not None and size <= len(CONTROL_SYMBOLS):
            raise UserError(
                f"A vocabulary of size {size} has no room for words: {len(CONTROL_SYMBOLS)} ids are control symbols. "
                f"Choose a size of at least {len(CONTROL_SYMBOLS) + 1}."
            )
        frequent = (token for token, count in counts.items() if count >= minimum_count and token)
        ranked = sorted(frequent, key=lambda token: (-counts[token], token))
        return cls(ranked if size is None else ranked[: size - len(CONTROL_SYMBOLS)])

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Vocabulary:
        """Read a vocabulary file: UTF-8, one entry a line, a byte-order mark and CRLF line ends allowed.

        Control symbols on the first lines are recognised and skipped. White space, control characters and entries that
        cannot be seen are written escaped (`\\u0020`), a backslash as `\\\\`, a word spelled like a control symbol with
        a backslash before it (`\\<unk>`), as `save` does.

        Raises:
            UserError: naming file, line and code points, if a line is not UTF-8, blank, cannot be seen, holds white
                space, repeats an earlier one, or is a control symbol anywhere but at the top.
        """
        return cls(_entries_of(path))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write one entry a line; `fingerprint` is the SHA-256 of this file."""
        Path(path).write_bytes(_file_content(self.entries))

    def ids(self, tokens: tf.Tensor | tf.RaggedTensor) -> tf.Tensor | tf.RaggedTensor:
        """Ids of tokens.

        Args:
            tokens: strings of any shape, dense or ragged.

        Returns:
            int32 of the same structure; 3 (unknown) for a token that is no entry.
        """
        return self._table.lookup(tokens)

    def tokens(self, ids: tf.Tensor | tf.RaggedTensor) -> tf.Tensor | tf.RaggedTensor:
        """Tokens of ids.

        Args:
            ids: integers of any shape, dense or ragged, in `[0, size)`.

        Returns:
            strings of the same structure; "" for pad, start and end, "<unk>" for unknown.
        """
        if isinstance(ids, tf.RaggedTensor):
            return ids.with_flat_values(tf.gather(self._surfaces, ids.flat_values))
        return tf.gather(self._surfaces, ids)


def code_points(text: str) -> str:
    """`text` as its code points, for messages about what cannot be seen: "U+200B"."""
    return " ".join(f"U+{ord(character):04X}" for character in text)


def _check_distinct(entries: tuple[str, ...]) -> None:
    positions: dict[str, int] = {}
    for position, entry in enumerate(entries, start=1):
        if not entry:
            raise UserError(f"Entry {position} of the vocabulary is empty; each entry needs at least one character.")
        if entry in positions:
            raise UserError(
                f"Entries {positions[entry]} and {position} of the vocabulary are both '{entry}'; remove one of them."
            )
        positions[entry] = position


def _is_plain(text: str) -> bool:
    """Most words by far: nothing in them needs a closer look."""
    return text.isprintable() and " " not in text


def _is_invisible(text: str) -> bool:
    return _INVISIBLE.fullmatch(text) is not None


def _needs_escape(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) == "Cc"


def _escape_character(character: str) -> str:
    return f"\\u{ord(character):04x}" if ord(character) < 0x10000 else f"\\U{ord(character):08x}"


def _escape(entry: str) -> str:
    if _is_plain(entry) and "\\" not in entry and entry[0] != "<":
        return entry
    if _is_invisible(entry):
        return "".join(map(_escape_character, entry))
    if entry in CONTROL_SYMBOLS:
        return "\\" + entry
    return "".join(
        _escape_character(character) if _needs_escape(character) else character.replace("\\", "\\\\")
        for character in entry
    )


def _unescape(line: str) -> str:
    def character(match: re.Match[str]) -> str:
        escape = match.group(1)
        return escape if escape in "\\<" else chr(int(escape[1:], 16))

    return _ESCAPED.sub(character, line)


def _file_content(entries: Iterable[str]) -> bytes:
    return "".join(_escape(entry) + "\n" for entry in entries).encode()


def _entries_of(path: str | os.PathLike[str]) -> list[str]:
    entries: list[str] = []
    line_of: dict[str, int] = {}
    at_the_top = True
    for number, line in numbered_lines(path):
        _check_line(line, f"{path}, line {number}")
        at_the_top = at_the_top and line in CONTROL_SYMBOLS
        if line in CONTROL_SYMBOLS and not at_the_top:
            raise UserError(
                f"{path}, line {number}: the control symbol {line} stands among the words. Control symbols belong on "
                f"the first lines (or are left out); write \\{line} for a word that is spelled like this."
            )
        # A control symbol and the escaped word of the same spelling are two different things.
        key = line if at_the_top else "\\" + _unescape(line)
        if key in line_of:
            raise UserError(
                f"{path}, line {number}: '{line}' ({code_points(line)}) is already on line {line_of[key]}. "
                "Every entry may occur once, since its place is its id; remove one of the two lines."
            )
        line_of[key] = number
        if not at_the_top:
            entries.append(_unescape(line))
    return entries


def _check_line(line: str, where: str) -> None:
    if not line:
        raise UserError(f"{where}: the line is blank. Remove it: it would shift the id of every later entry.")
    if not _is_plain(line) and (_is_invisible(line) or any(map(_needs_escape, line))):
        escaped = "".join(
            character if character.isprintable() and character != " " else _escape_character(character)
            for character in line
        )
        raise UserError(
            f"{where}: the entry '{escaped}' holds white space or cannot be seen ({code_points(line)}). A vocabulary "
            "file has one entry a line and nothing else; write such characters escaped, as here, if they are meant."
        )
