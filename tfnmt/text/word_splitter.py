"""The rules of the Moses tokenizer, as operations of the graph."""

from __future__ import annotations

import importlib.resources

import tensorflow as tf

from tfnmt.errors import UserError, nearest
from tfnmt.text.neighbours import neighbours

# Characters of words. A mark belongs to the letter before it. Scripts that write no blanks (_UNSPACED) are taken apart
# into characters, as sacremoses does.
LETTERS = r"\p{L}\p{M}\p{Nl}"
_NUMBER = r"\p{N}"
_UNSPACED = r"\p{Han}\p{Hangul}"

Rules = tuple[tuple[str, str], ...]
"""Patterns of RE2 and their replacements, applied one after the other."""

# A run of full stops stays together: written with a character that no clean text holds, no other rule sees a full stop.
_STOP_IN_RUN = "\x01"

_PUNCTUATION: Rules = (
    (rf"([^{LETTERS}\p{{Nd}}\s.'`,\-]|[{_UNSPACED}])", r" \1 "),
    (r"\.\.", _STOP_IN_RUN * 2),
    (rf"{_STOP_IN_RUN}\.", _STOP_IN_RUN * 2),
    (rf"({_STOP_IN_RUN}+)", r" \1 "),
    # A comma is a token unless it stands between two digits.
    (rf"([^{_NUMBER}]),", r"\1 , "),
    (rf",([^{_NUMBER}])", r" , \1"),
    (rf"([{_NUMBER}]),$", r"\1 , "),
)

# Apostrophes: English contractions go with what follows ("don 't"), French elisions with what stands before
# ("l' homme"); elsewhere an apostrophe is a token.
_APOSTROPHES: dict[str, Rules] = {
    "en": (
        (rf"([^{LETTERS}])'([^{LETTERS}])", r"\1 ' \2"),
        (rf"([^{LETTERS}{_NUMBER}])'([{LETTERS}])", r"\1 ' \2"),
        (rf"([{LETTERS}])'([^{LETTERS}])", r"\1 ' \2"),
        (rf"([{LETTERS}])'([{LETTERS}])", r"\1 '\2"),
        (rf"([{_NUMBER}])'(s)", r"\1 '\2"),
    ),
    "fr": (
        (rf"([^{LETTERS}])'([^{LETTERS}])", r"\1 ' \2"),
        (rf"([^{LETTERS}])'([{LETTERS}])", r"\1 ' \2"),
        (rf"([{LETTERS}])'([^{LETTERS}])", r"\1 ' \2"),
        (rf"([{LETTERS}])'([{LETTERS}])", r"\1' \2"),
    ),
    "de": (("'", " ' "),),
    "cs": (("'", " ' "),),
}
LANGUAGES = tuple(_APOSTROPHES)

_NEVER, _ALWAYS, _BEFORE_NUMBER = 0, 1, 2


class WordSplitter(tf.Module):
    """Splits text into words as the Moses tokenizer does, without its escaping of XML characters.

    Args:
        language: "en", "de", "fr" or "cs": the rules for apostrophes and the abbreviations whose full stop stays.

    Raises:
        UserError: there are no rules for the language.
    """

    def __init__(self, language: str) -> None:
        super().__init__(name="word_splitter")
        if language not in LANGUAGES:
            raise UserError(
                f"There are no word rules for the language '{language}'. {nearest(language, LANGUAGES)} "
                "For other languages take the nearest of them, or the subword or character tokenizer."
            )
        self._rules = _PUNCTUATION + _APOSTROPHES[language]
        prefixes = nonbreaking_prefixes(language)
        self._prefixes = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(tf.constant(list(prefixes)), tf.constant(list(prefixes.values()))),
            default_value=_NEVER,
        )

    def __call__(self, strings: tf.Tensor) -> tf.RaggedTensor:
        """Words of clean text (single blanks between words, no control characters).

        Args:
            strings: [batch].

        Returns:
            [batch, (tokens)] strings.
        """
        for pattern, replacement in self._rules:
            strings = tf.strings.regex_replace(strings, pattern, replacement)
        words = self._split_full_stops(tf.strings.split(strings))
        return words.with_flat_values(tf.strings.regex_replace(words.flat_values, _STOP_IN_RUN, "."))

    def _split_full_stops(self, words: tf.RaggedTensor) -> tf.RaggedTensor:
        """Cut the full stop off each word that is neither an abbreviation nor followed by a lower-case word."""
        flat = words.flat_values
        places = tf.where(tf.strings.regex_full_match(flat, r".+\."))[:, 0]  # [stops]
        prefixes = tf.strings.regex_replace(tf.gather(flat, places), r"\.$", "")
        kinds = self._prefixes.lookup(prefixes)
        following = tf.gather(neighbours(words, 1), places)
        kept = (
            tf.strings.regex_full_match(prefixes, rf".*\..*[{LETTERS}].*|.*[{LETTERS}].*\..*")
            | (kinds == _ALWAYS)
            | tf.strings.regex_full_match(following, r"\p{Ll}.*")
            | ((kinds == _BEFORE_NUMBER) & tf.strings.regex_full_match(following, r"[0-9].*"))
        )
        cut = tf.boolean_mask(places, ~kept)[:, tf.newaxis]
        flat = tf.tensor_scatter_nd_update(flat, cut, tf.boolean_mask(prefixes, ~kept) + " .")
        # "end.'" at the end of a line is three tokens.
        last = tf.boolean_mask(words.row_splits[1:], words.row_lengths() > 0)[:, tf.newaxis] - 1
        flat = tf.tensor_scatter_nd_update(
            flat, last, tf.strings.regex_replace(tf.gather_nd(flat, last), r"\.'$", " . '")
        )
        parts = tf.strings.split(flat)  # [words, (parts)]
        return tf.RaggedTensor.from_row_splits(parts.flat_values, tf.gather(parts.row_splits, words.row_splits))


def nonbreaking_prefixes(language: str) -> dict[str, int]:
    """The abbreviations of a language: prefix -> always kept together with its full stop, or only before a number."""
    kind = _ALWAYS
    prefixes: dict[str, int] = {}
    source = importlib.resources.files("tfnmt.text") / "nonbreaking_prefixes" / f"{language}.txt"
    for line in source.read_text(encoding="utf-8").split("\n"):
        if line == "[before a number]":
            kind = _BEFORE_NUMBER
        elif not line.startswith("#"):
            prefixes.update(dict.fromkeys(line.split(), kind))
    return prefixes
