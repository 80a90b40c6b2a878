"""The built-in corpus in English."""

from __future__ import annotations

from tfnmt.corpora.phrasebook.meaning import (
    Clause,
    Coordination,
    Determiner,
    NounPhrase,
    Person,
    Question,
    Relative,
    Report,
    Sentence,
    SharedSubject,
    Statement,
    Subordination,
    Tense,
)
from tfnmt.corpora.phrasebook.orthography import line
from tfnmt.corpora.phrasebook.phrases import numeral
from tfnmt.corpora.phrasebook.verbs import BE

_SUBJECT = {(Person.I, ""): "I", (Person.WE, ""): "we", (Person.HE, "m"): "he", (Person.HE, "f"): "she"}
_OBJECT = {"m": "him", "f": "her"}
_POSSESSIVE = {
    (Person.I, ""): "my",
    (Person.WE, ""): "our",
    (Person.HE, "m"): "his",
    (Person.HE, "f"): "her",
    (Person.THEY, ""): "their",
}
_MODAL = {Tense.FUTURE: "will", Tense.CAN: "can", Tense.MUST: "must", Tense.SHOULD: "should"}


def sentence(meaning: Sentence) -> str:
    """A whole sentence with its punctuation."""
    return line(_words(meaning), "?" if isinstance(meaning, Question) else ".")


def _words(meaning: Sentence) -> list[str]:
    match meaning:
        case Statement(clause, time_first):
            return _fronted(clause) + main_clause(clause, time=False) if time_first else main_clause(clause)
        case SharedSubject(first, second):
            return [*main_clause(first), "and", *_predicate(second)]
        case Report(subject, verb, content):
            return [*noun_phrase(subject), _finite(Clause(subject, verb)), "that", *main_clause(content)]
        case Subordination(main, conjunction, subordinate, subordinate_first):
            dependent = [conjunction.english, *main_clause(subordinate)]
            return [*dependent, ",", *main_clause(main)] if subordinate_first else main_clause(main) + dependent
        case Coordination(first, conjunction, second):
            return [*_words(first), ",", conjunction.english, *_words(second)]
        case Question(clause, word):
            return ([word.english] if word else []) + _question(clause)


def main_clause(clause: Clause, time: bool = True) -> list[str]:
    """Subject, verb and the rest; main and subordinate clauses have the same order."""
    return noun_phrase(clause.subject) + _predicate(clause, time)


def _predicate(clause: Clause, time: bool = True) -> list[str]:
    return _verb_group(clause) + _complements(clause, time)


def _fronted(clause: Clause) -> list[str]:
    assert clause.time is not None
    words = clause.time.english
    return [words, ","] if "," in words else [words]  # a comma closes the year of a date


def _verb_group(clause: Clause) -> list[str]:
    """The verb with auxiliaries and negation, without its particle."""
    base = clause.verb.english
    if clause.verb is BE and clause.tense in (Tense.PRESENT, Tense.PAST):
        return [_finite(clause), *_not(clause)]
    if clause.tense is Tense.WANT:
        wanted = ["want to"] if clause.negative or _plain(clause.subject) else ["wants to"]
        return [*(_do(clause) if clause.negative else []), *wanted, base]
    if clause.tense is Tense.CAN and clause.negative:
        return ["cannot", base]
    if clause.tense in _MODAL:
        return [_MODAL[clause.tense], *_not(clause), base]
    if clause.negative:
        return [*_do(clause), base]
    adverb = ["never"] if clause.never else [clause.frequency.english] if clause.frequency else []
    return [*adverb, _finite(clause)]


def _question(clause: Clause) -> list[str]:
    """The auxiliary before the subject."""
    subject, rest = noun_phrase(clause.subject), _complements(clause)
    if clause.verb is BE and clause.tense in (Tense.PRESENT, Tense.PAST):
        return [_finite(clause), *subject, *rest]
    if clause.tense in _MODAL:
        return [_MODAL[clause.tense], *subject, clause.verb.english, *rest]
    wanted = ["want to"] if clause.tense is Tense.WANT else []
    return [_do(clause)[0], *subject, *wanted, clause.verb.english, *rest]


def _plain(subject: NounPhrase) -> bool:
    """Whether the present tense has no -s."""
    return subject.person is not Person.HE


def _finite(clause: Clause) -> str:
    verb, person = clause.verb, clause.subject.person
    if verb is BE:
        if clause.tense is Tense.PAST:
            return "was" if person in (Person.I, Person.HE) else "were"
        return {Person.I: "am", Person.HE: "is"}.get(person, "are")
    if clause.tense is Tense.PAST:
        return verb.english_past
    return verb.english if _plain(clause.subject) else verb.english_third


def _do(clause: Clause) -> list[str]:
    if clause.tense is Tense.PAST:
        return ["did", "not"]
    return ["do" if _plain(clause.subject) else "does", "not"]


def _not(clause: Clause) -> list[str]:
    return ["not"] if clause.negative else []


def _complements(clause: Clause, time: bool = True) -> list[str]:
    words = [clause.verb.english_particle] if clause.verb.english_particle else []
    if clause.quality:
        words.append(clause.quality.english)
    for phrase in (clause.recipient, clause.object):
        if phrase:
            words += noun_phrase(phrase, subject=False)
    if clause.companion:
        words += [clause.companion.preposition.english, *noun_phrase(clause.companion.whom, subject=False)]
    words += [phrase.english for phrase in (clause.place, clause.time if time else None) if phrase]
    return words


def noun_phrase(phrase: NounPhrase, subject: bool = True) -> list[str]:
    """A noun phrase as a subject or as anything else."""
    if phrase.pronoun:
        return [_SUBJECT[phrase.pronoun, phrase.sex] if subject else _OBJECT[phrase.sex]]
    if phrase.name:
        return [*([phrase.title.english] if phrase.title else []), phrase.name]
    noun = phrase.noun
    assert noun is not None
    words = [phrase.adjective.english] if phrase.adjective else []
    words.append(noun.english_plural if phrase.plural else noun.english)
    words = _determiner(phrase, words[0]) + words
    return words + (_relative(phrase.relative) if phrase.relative else [])


def _determiner(phrase: NounPhrase, following: str) -> list[str]:
    if phrase.possessor:
        *words, last = noun_phrase(phrase.possessor)
        return [*words, last + "'s"]
    match phrase.determiner:
        case Determiner.DEFINITE:
            return ["the"]
        case Determiner.POSSESSIVE:
            assert phrase.owner is not None
            return [_POSSESSIVE[phrase.owner, phrase.owner_sex]]
        case Determiner.NUMBER:
            return [numeral(phrase.count).english]
        case Determiner.INDEFINITE:
            article = "an" if following[0] in "aeiou" else "a"  # no word here begins like "university" or "hour"
            return [] if phrase.plural else [article]


def _relative(relative: Relative) -> list[str]:
    clause = relative.clause
    return ["who", *_predicate(clause)] if relative.about_subject else ["that", *main_clause(clause)]
