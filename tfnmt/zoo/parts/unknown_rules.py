"""Which unknown words go through the lexicon: `[decoding.unknown_rule]`."""

from __future__ import annotations

from typing import Literal

from tfnmt.zoo.table import Part


class UnknownRule(Part):
    """Decides which source words the lexicon translates; the others are copied."""


class AnyWord(UnknownRule):
    """Every word that the lexicon has (Luong et al. 2015b)."""

    builds = "tfnmt.text.unknown_words:AnyWord"
    kind: Literal["any_word"] = "any_word"


class LowerCaseWord(UnknownRule):
    """Words that begin with a lower-case letter; others are taken for names (Jean et al. 2015)."""

    builds = "tfnmt.text.unknown_words:LowerCaseWord"
    kind: Literal["lower_case_word"] = "lower_case_word"
