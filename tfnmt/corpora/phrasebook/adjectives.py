"""The adjectives of the built-in corpus; `adjectives.txt` has their paradigms."""

from __future__ import annotations

from functools import cache

from tfnmt.corpora.phrasebook.meaning import Adjective, Noun
from tfnmt.corpora.phrasebook.table import Row, rows


def _adjective(row: Row) -> Adjective:
    (english,), (german,), french, (place,), kinds = row
    masculine, feminine, *others = french
    plural, before_vowel = [*others, "", ""][:2]
    forms = (masculine, feminine, plural or masculine + "s", feminine + "s")
    return Adjective(english, german, forms, before_vowel or masculine, place == "before", frozenset(kinds))


ADJECTIVES = tuple(_adjective(row) for row in rows("adjectives"))


@cache
def suiting(noun: Noun) -> tuple[Adjective, ...]:
    """The adjectives that may be said of a noun."""
    return tuple(adjective for adjective in ADJECTIVES if adjective.kinds & noun.kinds)
