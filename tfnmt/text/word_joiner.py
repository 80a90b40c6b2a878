"""The rules of the Moses detokenizer, as operations of the graph."""

from __future__ import annotations

import tensorflow as tf

from tfnmt.text.neighbours import neighbours
from tfnmt.text.word_splitter import LETTERS

_IDEOGRAPH = (
    r"\x{1100}-\x{11ff}\x{2e80}-\x{a4cf}\x{a840}-\x{a87f}\x{ac00}-\x{d7af}\x{f900}-\x{faff}\x{fe30}-\x{fe4f}"
    r"\x{ff65}-\x{ffdc}\x{17000}-\x{18aff}\x{1b000}-\x{1b12f}\x{1b130}-\x{1b16f}\x{20000}-\x{2ffff}"
)
_OPENING = r"[\p{Sc}(\[{¿¡]+"
_PUNCTUATION = r"[,.?!:;\\%}\])]+"
_SPACED_IN_FRENCH = r"[?!:;\\%]"
_QUOTE = r"['\"„“`]+"
_DOUBLE_QUOTES = r"[„“”]+"


class WordJoiner:
    """Joins words to text as the Moses detokenizer does, without its unescaping of XML characters.

    The Perl program walks from word to word and carries two things along: whether the next blank is left out, and how
    often each quotation mark was seen. Here each word says by itself, from its neighbours, whether it leans to the left
    or to the right; only quotation marks need more (`_closing_quotes`).

    Args:
        language: "en", "de", "fr" or "cs".
    """

    def __init__(self, language: str) -> None:
        self.language = language

    def __call__(self, tokens: tf.RaggedTensor) -> tf.Tensor:
        """Text of words.

        Args:
            tokens: [batch, (tokens)] strings.

        Returns:
            [batch] strings.
        """
        text = tf.strings.join([" ", tf.strings.reduce_join(tokens, axis=-1, separator=" "), " "])
        tokens = tf.strings.split(tf.strings.regex_replace(text, " @-@ ", "-"))
        words = tokens.flat_values
        rows = tokens.value_rowids()
        before = neighbours(tokens, -1)
        after = neighbours(tokens, 1)
        first = before == ""

        ideograph = _matches(words, rf"[{_IDEOGRAPH}].*")
        opening = ~ideograph & _matches(words, _OPENING)
        punctuation = ~ideograph & _matches(words, _PUNCTUATION)
        quote = _matches(words, _QUOTE)
        closing = self._closing_quotes(words, before, rows, quote)

        leans_left = punctuation | (quote & closing) | (ideograph & _matches(before, rf".*[{_IDEOGRAPH}]"))
        leans_right = opening | (quote & ~closing)
        if self.language == "en":
            leans_left |= ~first & _matches(words, rf"'[{LETTERS}].*")
        elif self.language == "fr":
            leans_left &= ~_matches(words, _SPACED_IN_FRENCH)
            leans_right |= _matches(words, rf".*[{LETTERS}]'") & _matches(after, rf"[{LETTERS}].*")
        elif self.language == "cs":
            decimal = _matches(words, "[0-9]+") & _matches(before, "[.,]")
            leans_left |= decimal & _matches(neighbours(tokens, -2), "[0-9]+")
            # "e-mail", "chceš-li"
            dash = _matches(words, r"[-\x{2013}]") & _matches(before, rf".*[{LETTERS}]")
            dash &= _matches(after, "(?i:li|mail.*)")
            leans_left |= dash
            leans_right |= dash

        blank = ~first & ~leans_left & ~tf.roll(leans_right, 1, axis=0)
        if self.language == "fr":
            blank |= ~first & _matches(words, _SPACED_IN_FRENCH)
        spaced = tf.strings.join([tf.where(blank, " ", ""), words])
        return tf.strings.reduce_join(tokens.with_flat_values(spaced), axis=-1)

    def _closing_quotes(self, words: tf.Tensor, before: tf.Tensor, rows: tf.Tensor, quote: tf.Tensor) -> tf.Tensor:
        """Which quotation marks close: every second one of its kind in a row.

        Some marks are known by their form, and the count starts anew after them: an English apostrophe behind an "s" is
        taken for a possessive and closes, Czech „ opens and “ closes.

        Returns:
            [tokens] bool, False for what is no quotation mark.
        """
        places = tf.where(quote)  # [quotes, 1]
        words, before, rows = (tf.gather_nd(values, places) for values in (words, before, rows))
        known_closing = known_opening = tf.zeros_like(rows, tf.bool)
        if self.language == "en":
            known_closing = (words == "'") & _matches(before, ".*s")
        elif self.language == "cs":
            known_closing, known_opening = words == "“", words == "„"
        kinds = tf.where(_matches(words, _DOUBLE_QUOTES), '"', words)
        _, groups = tf.unique(tf.strings.join([tf.strings.as_string(rows), kinds], " "))

        order = tf.argsort(groups, stable=True)
        groups, known_closing, known_opening = (
            tf.gather(values, order) for values in (groups, known_closing, known_opening)
        )
        known = known_closing | known_opening
        # Counting starts at the first mark of a group and after each known one.
        starts = known | (groups != tf.roll(groups, 1, axis=0)) | (tf.range(tf.size(groups)) == 0)
        counted = tf.cumsum(tf.cast(~known, tf.int32), exclusive=True)
        run = tf.cumsum(tf.cast(starts, tf.int32)) - 1
        base = tf.boolean_mask(counted - tf.cast(known_opening, tf.int32), starts)
        odd = (counted - tf.gather(base, run)) % 2 == 1
        closing = known_closing | (odd & ~known)
        closing = tf.scatter_nd(order[:, tf.newaxis], tf.cast(closing, tf.int32), tf.shape(order))
        return tf.scatter_nd(places, closing, tf.shape(quote, tf.int64)) > 0


def _matches(words: tf.Tensor, pattern: str) -> tf.Tensor:
    return tf.strings.regex_full_match(words, pattern)
