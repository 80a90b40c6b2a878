"""What a command does with a lexicon: options of every command that writes translations."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from tfnmt.zoo.gathered_options import gathered

if TYPE_CHECKING:
    from tfnmt.decoding.translator import Translator

RULES = {"any": "AnyWord", "lower-case": "LowerCaseWord"}
"""Names on the command line of the classes in `tfnmt.text.unknown_words`."""


class LexiconUse(NamedTuple):
    """How a lexicon is used.

    Attributes:
        file: a lexicon in place of the model's own; None for the model's own.
        words: which unknown words it translates, one of `RULES`; None for what the model was told.
        candidates: sizes of candidate lists, K and K'; None for what the model was told.
    """

    file: str | None = None
    words: str | None = None
    candidates: tuple[int, int] | None = None

    def applied_to(self, translator: Translator) -> Translator:
        """The translator that uses it. TensorFlow must have been loaded.

        Raises:
            UserError: the file cannot be read, or candidate lists want a lexicon that is not there.
        """
        from tfnmt.text import unknown_words
        from tfnmt.text.lexicon import Lexicon

        if self.file is not None:
            translator = translator.with_lexicon(Lexicon.load(self.file))
        if self.words is not None:
            translator = translator.with_unknown_rule(getattr(unknown_words, RULES[self.words])())
        if self.candidates is not None:
            translator = translator.with_candidates(*self.candidates)
        return translator


def _gather(lexicon: str | None, lexicon_words: str | None, candidates: tuple[int, int] | None) -> LexiconUse | None:
    use = LexiconUse(lexicon, lexicon_words, candidates)
    return None if use == LexiconUse() else use


with_lexicon = gathered(
    "lexicon",
    _gather,
    click.option(
        "--lexicon",
        metavar="FILE",
        help="Translations of single words, `source <tab> target [<tab> score]` a line, for unknown words that stand "
        "for them.  [default: the model's own, else they are copied]",
    ),
    click.option(
        "--lexicon-words",
        type=click.Choice(list(RULES)),
        help="Which words are translated by the lexicon where a target word is unknown: any, or those that begin with "
        "a lower-case letter; the others are copied.  [default: the model's own rule, else any]",
    ),
    click.option(
        "--candidates",
        nargs=2,
        type=click.IntRange(0),
        metavar="K K'",
        help="Translate with candidate lists: the K most frequent words, and K' translations by the lexicon of each "
        "source word.  [default: the model's own lists, else all words]",
    ),
)
"""Gives a command the argument `lexicon`, a `LexiconUse`, or None where no option names anything."""
