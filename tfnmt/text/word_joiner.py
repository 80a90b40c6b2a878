"""The rules of the Moses detokenizer, as operations of the graph."""

from __future__ import annotations

from typing import NamedTuple

import tensorflow as tf

from tfnmt.text.neighbours import neighbours
from tfnmt.text.word_splitter import LETTERS

_IDEOGRAPH = (
    r"\x{1100}-\x{11ff}\x{2e80}-\x{a4cf}\x{a840}-\x{a87f}\x{ac00}-\x{d7af}\x{f900}-\x{faff}\x{fe30}-\x{fe4f}"
    r"\x{ff65}-\x{ffdc}\x{17000}-\x{18aff}\x{1b000}-\x{1b12f}\x{1b130}-\x{1b16f}\x{20000}-\x{2ffff}"
)
_OPENING = r"[\p{Sc}(\[{¿¡]+"
_PUNCTUATION = r"[,.?!:;\\%}\])]+"
_QUOTE = r"['\"„“`]+"
_DOUBLE_QUOTES = r"[„“”]+"


class _Words(NamedTuple):
    """Words with their neighbours in the same row, [tokens] strings each; "" beyond the ends."""

    here: tf.Tensor
    before: tf.Tensor
    after: tf.Tensor

    @property
    def first(self) -> tf.Tensor:
        return self.before == ""


class WordJoiner:
    """Joins words to text as the Moses detokenizer does, without its unescaping of XML characters.

    The Perl program walks from word to word and carries two things along: whether the next blank is left out, and how
    often each quotation mark was seen. Here each word says by itself, from its neighbours, whether it leans to the left
    or to the right; only quotation marks need more (`_closing_quotes`).

    This class has the rules that hold in every language; the languages with rules of their own add them.
    """

    def __call__(self, tokens: tf.RaggedTensor) -> tf.Tensor:
        """Text of words.

        Args:
            tokens: [batch, (tokens)] strings.

        Returns:
            [batch] strings.
        """
        text = tf.strings.join([" ", tf.strings.reduce_join(tokens, axis=-1, separator=" "), " "])
        tokens = tf.strings.split(tf.strings.regex_replace(text, " @-@ ", "-"))
        words = _Words(tokens.flat_values, neighbours(tokens, -1), neighbours(tokens, 1))
        left, right = self._leaning(words, tokens)
        blank = ~words.first & ((~left & ~tf.roll(right, 1, axis=0)) | self._always_after_blank(words))
        spaced = tf.strings.join([tf.where(blank, " ", ""), words.here])
        return tf.strings.reduce_join(tokens.with_flat_values(spaced), axis=-1)

    def _leaning(self, words: _Words, tokens: tf.RaggedTensor) -> tuple[tf.Tensor, tf.Tensor]:
        """[tokens] bool each: no blank before the word; no blank after it."""
        ideograph = _matches(words.here, rf"[{_IDEOGRAPH}].*")
        quote = _matches(words.here, _QUOTE)
        closing = self._closing_quotes(words, tokens.value_rowids(), quote)
        left = (~ideograph & _matches(words.here, _PUNCTUATION)) | (quote & closing)
        left |= ideograph & _matches(words.before, rf".*[{_IDEOGRAPH}]")
        right = (~ideograph & _matches(words.here, _OPENING)) | (quote & ~closing)
        return left, right

    def _always_after_blank(self, words: _Words) -> tf.Tensor:
        """[tokens] bool: a blank before the word whatever its neighbours say."""
        return tf.zeros_like(words.first)

    def _known_quotes(self, words: _Words) -> tuple[tf.Tensor, tf.Tensor]:
        """[tokens] bool each: quotation marks that close, or open, by their form alone."""
        return tf.zeros_like(words.first), tf.zeros_like(words.first)

    def _closing_quotes(self, words: _Words, rows: tf.Tensor, quote: tf.Tensor) -> tf.Tensor:
        """Which quotation marks close: every second one of its kind in a row.

        The count starts anew after a mark that is known by its form.

        Returns:
            [tokens] bool, False for what is no quotation mark.
        """
        places = tf.where(quote)  # [quotes, 1]
        marks, rows, known_closing, known_opening = (
            tf.gather_nd(values, places) for values in (words.here, rows, *self._known_quotes(words))
        )
        kinds = tf.where(_matches(marks, _DOUBLE_QUOTES), '"', marks)
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


class EnglishJoiner(WordJoiner):
    """Contractions ("'s", "'t") lean to the left; an apostrophe behind an "s" is taken for a possessive."""

    def _leaning(self, words: _Words, tokens: tf.RaggedTensor) -> tuple[tf.Tensor, tf.Tensor]:
        left, right = super()._leaning(words, tokens)
        return left | (~words.first & _matches(words.here, rf"'[{LETTERS}].*")), right

    def _known_quotes(self, words: _Words) -> tuple[tf.Tensor, tf.Tensor]:
        return (words.here == "'") & _matches(words.before, ".*s"), tf.zeros_like(words.first)


class FrenchJoiner(WordJoiner):
    """Elisions ("l'") lean to the right; a blank stands before the high punctuation marks."""

    def _leaning(self, words: _Words, tokens: tf.RaggedTensor) -> tuple[tf.Tensor, tf.Tensor]:
        left, right = super()._leaning(words, tokens)
        return left, right | (_matches(words.here, rf".*[{LETTERS}]'") & _matches(words.after, rf"[{LETTERS}].*"))

    def _always_after_blank(self, words: _Words) -> tf.Tensor:
        return _matches(words.here, r"[?!:;\\%]")


class CzechJoiner(WordJoiner):
    """Decimal numbers ("3,5") and the dash of "chceš-li" and "e-mail" are closed up; „ opens and “ closes."""

    def _leaning(self, words: _Words, tokens: tf.RaggedTensor) -> tuple[tf.Tensor, tf.Tensor]:
        left, right = super()._leaning(words, tokens)
        decimal = _matches(words.here, "[0-9]+") & _matches(words.before, "[.,]")
        decimal &= _matches(neighbours(tokens, -2), "[0-9]+")
        dash = _matches(words.here, r"[-\x{2013}]") & _matches(words.before, rf".*[{LETTERS}]")
        dash &= _matches(words.after, "(?i:li|mail.*)")
        return left | decimal | dash, right | dash

    def _known_quotes(self, words: _Words) -> tuple[tf.Tensor, tf.Tensor]:
        return words.here == "“", words.here == "„"


JOINERS: dict[str, type[WordJoiner]] = {"en": EnglishJoiner, "de": WordJoiner, "fr": FrenchJoiner, "cs": CzechJoiner}
"""The joiner of each language."""


def _matches(words: tf.Tensor, pattern: str) -> tf.Tensor:
    return tf.strings.regex_full_match(words, pattern)
