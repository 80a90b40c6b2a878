"""The nouns of the built-in corpus; `nouns.txt` has their paradigms."""

from __future__ import annotations

from functools import cache

from tfnmt.corpora.phrasebook.meaning import Noun
from tfnmt.corpora.phrasebook.table import Row, rows


def _noun(row: Row) -> Noun:
    (english, english_plural), german, (french_gender, french, french_plural), kinds, pronoun = row
    german_gender, german_singular, german_plural, *others = german
    genitive, oblique = [*others, "", ""][:2]
    return Noun(
        english=english,
        english_plural=english_plural,
        german_gender=german_gender,
        german=german_singular,
        german_plural=german_plural,
        german_genitive=genitive,
        german_oblique=oblique or german_singular,
        french_gender=french_gender,
        french=french,
        french_plural=french_plural,
        kinds=frozenset(kinds),
        sex={"he": "m", "she": "f"}.get("".join(pronoun), ""),
    )


NOUNS = tuple(_noun(row) for row in rows("nouns"))


@cache
def of_kinds(kinds: frozenset[str]) -> tuple[Noun, ...]:
    """The nouns of any of these kinds."""
    return tuple(noun for noun in NOUNS if noun.kinds & kinds)
