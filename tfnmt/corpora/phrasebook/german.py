"""The built-in corpus in German: verb second in main clauses, last in subordinate ones, brackets in both."""

from __future__ import annotations

from typing import NamedTuple

from tfnmt.corpora.phrasebook.meaning import (
    Adjective,
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
from tfnmt.corpora.phrasebook.phrases import FOR, MISTER, WITHOUT, numeral

# Cases are "nominative", "accusative", "dative", "genitive"; endings stand in the order m, f, n, plural.
_GENDERS = {"m": 0, "f": 1, "n": 2, "plural": 3}
_THE = {
    "nominative": ("der", "die", "das", "die"),
    "accusative": ("den", "die", "das", "die"),
    "dative": ("dem", "der", "dem", "den"),
    "genitive": ("des", "der", "des", "der"),
}
_A = {  # endings of ein, kein and the possessives
    "nominative": ("", "e", "", "e"),
    "accusative": ("en", "e", "", "e"),
    "dative": ("em", "er", "em", "en"),
}
_AFTER_THE = {
    "nominative": ("e", "e", "e", "en"),
    "accusative": ("en", "e", "e", "en"),
    "dative": ("en", "en", "en", "en"),
    "genitive": ("en", "en", "en", "en"),
}
_AFTER_A = {
    "nominative": ("er", "e", "es", "en"),
    "accusative": ("en", "e", "es", "en"),
    "dative": ("en", "en", "en", "en"),
}
_ALONE = {"nominative": "e", "accusative": "e", "dative": "en"}  # plural without a determiner, or after a numeral

_SUBJECT = {(Person.I, ""): "ich", (Person.WE, ""): "wir", (Person.HE, "m"): "er", (Person.HE, "f"): "sie"}
_OBJECT = {
    ("accusative", "m"): "ihn",
    ("accusative", "f"): "sie",
    ("dative", "m"): "ihm",
    ("dative", "f"): "ihr",
}
_POSSESSIVE = {
    (Person.I, ""): "mein",
    (Person.WE, ""): "unser",
    (Person.HE, "m"): "sein",
    (Person.HE, "f"): "ihr",
    (Person.THEY, ""): "ihr",
}


class _Modal(NamedTuple):
    """A verb that takes an infinitive, in the first and third person singular and the plural."""

    first: str
    third: str
    plural: str


_MODAL = {
    Tense.FUTURE: _Modal("werde", "wird", "werden"),
    Tense.CAN: _Modal("kann", "kann", "können"),
    Tense.MUST: _Modal("muss", "muss", "müssen"),
    Tense.WANT: _Modal("will", "will", "wollen"),
    Tense.SHOULD: _Modal("sollte", "sollte", "sollten"),
}
_AUXILIARY = {"haben": _Modal("habe", "hat", "haben"), "sein": _Modal("bin", "ist", "sind")}


class _Verb(NamedTuple):
    """The verb of a clause: the finite part, and what closes the bracket."""

    finite: str
    closing: str
    separable: bool = False  # the closing part is a prefix, written with the finite verb when they meet

    @property
    def at_end(self) -> list[str]:
        """Both, in the order that they have at the end of a subordinate clause."""
        if self.separable:
            return [self.closing + self.finite]
        return [*([self.closing] if self.closing else []), self.finite]


def sentence(meaning: Sentence) -> str:
    """A whole sentence with its punctuation."""
    return line(_words(meaning), "?" if isinstance(meaning, Question) else ".")


def _words(meaning: Sentence) -> list[str]:
    match meaning:
        case Statement(clause, time_first):
            if not time_first:
                return main_clause(clause)
            assert clause.time is not None
            return [clause.time.german, *inverted_clause(clause, time=False)]
        case SharedSubject(first, second):
            verb = _verb(second)
            return [*main_clause(first), "und", *_middle(second), verb.closing]
        case Report(subject, verb, content):
            return [*main_clause(Clause(subject, verb)), ",", *subordinate_clause("dass", content)]
        case Subordination(main, conjunction, subordinate, subordinate_first):
            dependent = subordinate_clause(conjunction.german, subordinate)
            if subordinate_first:
                return [*dependent, ",", *inverted_clause(main)]
            return [*main_clause(main), ",", *dependent]
        case Coordination(first, conjunction, second):
            comma = [","] if conjunction.german == "aber" else []  # none before "und"
            return [*_words(first), *comma, conjunction.german, *_words(second)]
        case Question(clause, word):
            return ([word.german] if word else []) + inverted_clause(clause)


def main_clause(clause: Clause) -> list[str]:
    """The subject before the finite verb."""
    verb = _verb(clause)
    return _joined(noun_phrase(clause.subject, "nominative"), [verb.finite], _middle(clause), [verb.closing])


def inverted_clause(clause: Clause, time: bool = True) -> list[str]:
    """The finite verb, then the subject: after anything that stands first, and in questions."""
    verb = _verb(clause)
    return _joined([verb.finite], noun_phrase(clause.subject, "nominative"), _middle(clause, time), [verb.closing])


def subordinate_clause(opening: str, clause: Clause, subject: bool = True) -> list[str]:
    """The whole verb at the end."""
    words = noun_phrase(clause.subject, "nominative") if subject else []
    return _joined([opening], words, _middle(clause), _verb(clause).at_end)


def _joined(*parts: list[str]) -> list[str]:
    return [word for part in parts for word in part if word]


def _verb(clause: Clause) -> _Verb:
    german, person = clause.verb.german, clause.subject.person
    if clause.tense in _MODAL:
        return _Verb(_agreeing(_MODAL[clause.tense], person), german.infinitive)
    if clause.tense is Tense.PAST and german.past:
        plural = german.past + ("n" if german.past.endswith("e") else "en")
        return _Verb(_agreeing(_Modal(german.past, german.past, plural), person), "")
    if clause.tense is Tense.PAST:
        return _Verb(_agreeing(_AUXILIARY[german.auxiliary], person), german.participle)
    present = _Modal(german.first, german.third, german.plural)
    return _Verb(_agreeing(present, person), german.prefix, separable=bool(german.prefix))


def _agreeing(forms: _Modal, person: Person) -> str:
    return {Person.I: forms.first, Person.HE: forms.third}.get(person, forms.plural)


def _middle(clause: Clause, time: bool = True) -> list[str]:
    """What stands between the finite verb and the closing part.

    Pronouns come first, then what is known (definite objects), time, company and place, then what is new (indefinite
    objects). "Nicht" stands before a quality and otherwise behind the objects.
    """
    pronouns, known, new = [], [], []
    negated = clause.negative
    for phrase, case in _objects(clause):
        if phrase.pronoun:
            pronouns += noun_phrase(phrase, case)
        elif phrase.definite:
            known += noun_phrase(phrase, case)
        else:
            new += noun_phrase(phrase, case, negated)
    kein = negated and any(phrase.determiner is Determiner.INDEFINITE for phrase, _ in _objects(clause))
    around = [clause.time.german] if clause.time and time else []
    if clause.frequency:
        around.append(clause.frequency.german)
    if clause.never:
        around.append("nie")
    if clause.companion:
        preposition = clause.companion.preposition
        case = "accusative" if preposition in (FOR, WITHOUT) else "dative"
        around += [preposition.german, *noun_phrase(clause.companion.whom, case)]
    if clause.place:
        around.append(clause.place.german)
    negation = ["nicht"] if negated and not kein else []
    quality = [clause.quality.german] if clause.quality else []
    return pronouns + known + around + new + negation + quality


def _objects(clause: Clause) -> list[tuple[NounPhrase, str]]:
    """The objects with their cases, dative first."""
    only = "dative" if clause.verb.german.dative else "accusative"
    return [(phrase, case) for phrase, case in ((clause.recipient, "dative"), (clause.object, only)) if phrase]


def noun_phrase(phrase: NounPhrase, case: str, negated: bool = False) -> list[str]:
    """A noun phrase in a case; negated, an indefinite article becomes "kein"."""
    if phrase.pronoun:
        return [_SUBJECT[phrase.pronoun, phrase.sex] if case == "nominative" else _OBJECT[case, phrase.sex]]
    if phrase.name:
        return [*_title(phrase, case), phrase.name]
    noun = phrase.noun
    assert noun is not None
    gender = _GENDERS["plural" if phrase.plural else noun.german_gender]
    words = [*_determiner_and_adjective(phrase, case, gender, negated), _noun_form(phrase, case)]
    if phrase.possessor:
        words += _possessor(phrase.possessor)
    return words + (_relative(phrase.relative, gender) if phrase.relative else [])


def _title(phrase: NounPhrase, case: str) -> list[str]:
    if not phrase.title:
        return []
    return ["Herrn" if phrase.title is MISTER and case != "nominative" else phrase.title.german]


def _possessor(phrase: NounPhrase) -> list[str]:
    """Behind the noun: the genitive, or "von" before a name."""
    return ["von", *noun_phrase(phrase, "dative")] if phrase.name else noun_phrase(phrase, "genitive")


def _determiner_and_adjective(phrase: NounPhrase, case: str, gender: int, negated: bool) -> list[str]:
    match phrase.determiner:
        case Determiner.DEFINITE:
            determiner, ending = [_THE[case][gender]], _AFTER_THE[case][gender]
        case Determiner.POSSESSIVE:
            assert phrase.owner is not None
            stem = _POSSESSIVE[phrase.owner, phrase.owner_sex]
            determiner, ending = [stem + _A[case][gender]], _AFTER_A[case][gender]
        case Determiner.INDEFINITE if negated or not phrase.plural:
            determiner = [("kein" if negated else "ein") + _A[case][gender]]
            ending = _AFTER_A[case][gender]
        case Determiner.INDEFINITE:
            determiner, ending = [], _ALONE[case]
        case Determiner.NUMBER:
            determiner, ending = [numeral(phrase.count).german], _ALONE[case]
    return determiner + ([_inflected(phrase.adjective, ending)] if phrase.adjective else [])


def _inflected(adjective: Adjective, ending: str) -> str:
    return adjective.german.removesuffix("e") + ending  # müde, müder


def _noun_form(phrase: NounPhrase, case: str) -> str:
    noun = phrase.noun
    assert noun is not None
    if phrase.plural:
        needs_n = case == "dative" and not noun.german_plural.endswith(("n", "s"))
        return noun.german_plural + ("n" if needs_n else "")
    return {"nominative": noun.german, "genitive": noun.german_genitive}.get(case, noun.german_oblique)


def _relative(relative: Relative, gender: int) -> list[str]:
    """Between commas, opened by a pronoun that has the noun's gender and the case of its own clause."""
    case = "nominative" if relative.about_subject else "accusative"
    pronoun = _THE[case][gender]  # the forms that differ from the article's do not occur
    return [",", *subordinate_clause(pronoun, relative.clause, subject=not relative.about_subject), ","]
