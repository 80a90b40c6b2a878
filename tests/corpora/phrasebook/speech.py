"""Meanings put together in a few words, for the tests of the grammars."""

from __future__ import annotations

from typing import Any

from tfnmt.corpora.phrasebook import english, french, german, verbs
from tfnmt.corpora.phrasebook.adjectives import ADJECTIVES
from tfnmt.corpora.phrasebook.meaning import (
    Clause,
    Determiner,
    NounPhrase,
    Person,
    Sentence,
    Statement,
    Tense,
    Verb,
    Words,
)
from tfnmt.corpora.phrasebook.nouns import NOUNS

VERBS: dict[str, Verb] = {
    verb.english: verb
    for verb in (
        *verbs.INTRANSITIVE,
        *verbs.TRANSITIVE,
        *verbs.WITH_RECIPIENT,
        *verbs.WITH_CLAUSE,
        verbs.LIVE,
        verbs.COST,
        verbs.HAVE,
        verbs.BE,
    )
}
QUALITIES = {adjective.english: adjective for adjective in ADJECTIVES}
THINGS = {noun.english: noun for noun in NOUNS}
I, WE, HE, SHE = (  # noqa: E741
    NounPhrase(pronoun=Person.I),
    NounPhrase(pronoun=Person.WE),
    *(NounPhrase(pronoun=Person.HE, sex=sex) for sex in "mf"),
)
HERE, TODAY = Words("in Berlin", "in Berlin", "à Berlin"), Words("today", "heute", "aujourd'hui")


def the(noun: str, adjective: str = "", **fields: Any) -> NounPhrase:
    return NounPhrase(noun=THINGS[noun], adjective=QUALITIES.get(adjective), **fields)


def a(noun: str, adjective: str = "", count: int = 1) -> NounPhrase:
    return the(noun, adjective, count=count, determiner=Determiner.INDEFINITE)


def own(noun: str, owner: Person, sex: str = "", adjective: str = "", count: int = 1) -> NounPhrase:
    return the(noun, adjective, count=count, determiner=Determiner.POSSESSIVE, owner=owner, owner_sex=sex)


def clause(
    subject: NounPhrase, verb: str, what: NounPhrase | None = None, tense: Tense = Tense.PAST, **rest: Any
) -> Clause:
    return Clause(subject, VERBS[verb], tense, object=what, **rest)


def is_(subject: NounPhrase, quality: str, tense: Tense = Tense.PRESENT, **rest: Any) -> Clause:
    return Clause(subject, verbs.BE, tense, quality=QUALITIES[quality], **rest)


def check(meaning: Sentence | Clause, *expected: str) -> None:
    sentence = Statement(meaning) if isinstance(meaning, Clause) else meaning
    assert [language.sentence(sentence) for language in (english, german, french)] == list(expected)
