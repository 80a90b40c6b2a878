"""Draws what the sentences of the built-in corpus say."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from typing import TypeVar

from tfnmt.corpora.phrasebook import phrases, verbs
from tfnmt.corpora.phrasebook.adjectives import suiting
from tfnmt.corpora.phrasebook.meaning import (
    Clause,
    Companion,
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
    Verb,
    Words,
)
from tfnmt.corpora.phrasebook.nouns import of_kinds

Choice = TypeVar("Choice")

_PERSON, _KIN, _ANIMAL = frozenset({"person"}), frozenset({"kin"}), frozenset({"animal"})
_PRICED = frozenset({"goods", "clothes", "furniture", "device"})
_PRONOUNS = (
    NounPhrase(pronoun=Person.I),
    NounPhrase(pronoun=Person.WE),
    NounPhrase(pronoun=Person.HE, sex="m"),
    NounPhrase(pronoun=Person.HE, sex="f"),
)
_THIRD_PERSONS = _PRONOUNS[2:]
_TENSES = {
    Tense.PAST: 9,
    Tense.PRESENT: 5,
    Tense.FUTURE: 2,
    Tense.CAN: 1,
    Tense.MUST: 1,
    Tense.WANT: 1,
    Tense.SHOULD: 1,
}
_DAYS = {Tense.PAST: phrases.PAST_DAYS, Tense.PRESENT: phrases.PRESENT_DAYS, Tense.FUTURE: phrases.FUTURE_DAYS}
_NUMBERS = (*range(2, 21), 30)
_PRICES = (250, 320, 475, 890, 1250, 1499, 1995, 2350, 3575, 4999)
_NAMED = 0.09  # share of the sentences that may name somebody; some of them find no place for the name


class Sampler:
    """Draws meanings at random; the same seed and names give the same meanings on every machine.

    Args:
        seed: Of the random numbers.
        names: The pool of names of people.
    """

    def __init__(self, seed: int, names: Sequence[str]) -> None:
        self._random = random.Random(seed)
        self._names = names
        self._name = ""  # the name that waits for a place in the present sentence

    def sentence(self) -> Sentence:
        """One meaning."""
        self._name = self._pick(self._names) if self._happens(_NAMED) else ""
        draws: dict[Callable[[], Sentence], int] = {
            self._statement: 50,
            self._shared_subject: 10,
            self._report: 9,
            self._subordination: 13,
            self._coordination: 10,
            self._question: 8,
        }
        return self._weighted(draws)()

    # Random.random is the one method whose sequence Python promises not to change
    def _happens(self, probability: float) -> bool:
        return self._random.random() < probability

    def _pick(self, choices: Sequence[Choice]) -> Choice:
        return choices[int(self._random.random() * len(choices))]

    def _weighted(self, weights: dict[Choice, int]) -> Choice:
        left = self._random.random() * sum(weights.values())
        for choice, weight in weights.items():
            left -= weight
            if left < 0:
                return choice
        raise AssertionError("the weights do not add up")  # a random number is below 1

    def _statement(self) -> Statement:
        clause = self._clause(related=True)
        return Statement(clause, time_first=clause.time is not None and self._happens(0.5))

    def _shared_subject(self) -> SharedSubject:
        first = self._action(self._subject(related=False), Tense.PAST, self._pick(verbs.TRANSITIVE))
        second = self._action(first.subject, Tense.PAST, self._pick(verbs.TRANSITIVE))
        return SharedSubject(first, self._placed_in_time(second))

    def _report(self) -> Report:
        return Report(self._subject(), self._pick(verbs.WITH_CLAUSE), self._clause())

    def _subordination(self) -> Subordination:
        conjunction = self._pick((phrases.BECAUSE, phrases.IF, phrases.WHEN, phrases.WHILE))
        tenses = {
            # a condition is said in the present, whatever follows from it
            phrases.IF: (self._weighted({**_TENSES, Tense.PAST: 0}), Tense.PRESENT),
            phrases.WHEN: (Tense.PAST, Tense.PAST),
            phrases.WHILE: (Tense.PRESENT, Tense.PRESENT),
        }
        main, subordinate = tenses.get(conjunction, (self._tense(), self._tense()))
        return Subordination(
            replace(self._clause(main), time=None), conjunction, self._clause(subordinate), self._happens(0.4)
        )

    def _coordination(self) -> Coordination:
        draws: dict[Callable[[], Sentence], int] = {
            self._statement: 6,
            self._shared_subject: 2,
            self._subordination_behind: 2,
            self._coordination: 2,
        }
        second = self._weighted(draws)()
        return Coordination(self._statement(), self._pick((phrases.AND, phrases.AND, phrases.BUT)), second)

    def _subordination_behind(self) -> Subordination:
        return replace(self._subordination(), subordinate_first=False)

    def _question(self) -> Question:
        clause = replace(self._clause(), negative=False, never=False, frequency=None)
        word = self._pick((None, None, None, phrases.WHY, phrases.WHERE, phrases.WHEN_ASKED))
        if word is phrases.WHERE and clause.verb is not verbs.COST:
            clause = replace(clause, place=None)
        asked_for_a_place = word is phrases.WHERE and clause.verb in (verbs.BE, verbs.HAVE, verbs.COST)
        asked_for_a_time = word is phrases.WHEN_ASKED and clause.verb in (verbs.BE, verbs.HAVE, verbs.COST, verbs.LIVE)
        if word is phrases.WHEN_ASKED:
            clause = replace(clause, time=None)
        return Question(clause, None if asked_for_a_place or asked_for_a_time else word)

    def _tense(self) -> Tense:
        return self._weighted(_TENSES)

    def _clause(self, tense: Tense | None = None, related: bool = False) -> Clause:
        """Any clause; `related` allows a relative clause about its subject."""
        tense = tense or self._tense()
        draws: dict[Sequence[Verb], int] = {
            verbs.TRANSITIVE: 56,
            verbs.INTRANSITIVE: 12,
            verbs.WITH_RECIPIENT: 13,
            (verbs.BE,): 12,
            (verbs.HAVE,): 4,
            (verbs.COST,): 3,
            (verbs.LIVE,): 3,
        }
        verb = self._pick(self._weighted(draws))
        if verb is verbs.BE:
            return self._quality(tense, related)
        if verb is verbs.COST:
            return self._price(tense)
        subject = self._agreeing_subject(verb, tense, related)
        if verb is verbs.LIVE:
            return Clause(subject, verb, self._state_tense(tense), place=self._pick(phrases.HOMES))
        return self._placed_in_time(self._action(subject, self._state_tense(tense, verb), verb))

    def _state_tense(self, tense: Tense, verb: Verb = verbs.LIVE) -> Tense:
        """A state is said in the past or the present."""
        return tense if verb not in (verbs.LIVE, verbs.HAVE) or tense is Tense.PAST else Tense.PRESENT

    def _agreeing_subject(self, verb: Verb, tense: Tense, related: bool) -> NounPhrase:
        """A subject whose gender is known wherever a French participle would show it."""
        subject = self._subject(related)
        shows = verb.french.auxiliary == "être" and tense is Tense.PAST
        return subject if not shows or subject.noun or subject.sex else self._definite(_PERSON)

    def _action(self, subject: NounPhrase, tense: Tense, verb: Verb) -> Clause:
        clause = Clause(subject, verb, tense)
        if verb in verbs.WITH_RECIPIENT:
            clause = replace(clause, recipient=self._somebody(subject))
        if verb.objects:
            clause = replace(clause, object=self._object(verb, subject))
        clause = self._denied(clause)
        if clause.negative or clause.never or verb is verbs.HAVE:
            return clause
        if not verb.objects and self._happens(0.35):
            companion = self._pick((phrases.WITH, phrases.WITH, phrases.WITHOUT))
            clause = replace(clause, companion=Companion(companion, self._somebody(subject, pronouns=False)))
        elif "goods" in verb.objects and verb not in verbs.WITH_RECIPIENT and self._happens(0.1):
            clause = replace(clause, companion=Companion(phrases.FOR, self._somebody(subject, pronouns=False)))
        if self._happens(0.3 if verb.objects else 0.5):
            clause = replace(clause, place=self._place(verb))
        return clause

    def _denied(self, clause: Clause) -> Clause:
        """Perhaps with a negation, or with an adverb of frequency in its place."""
        counted = clause.object is not None and clause.object.determiner is Determiner.NUMBER
        if clause.tense is Tense.PRESENT and clause.verb is not verbs.HAVE and self._happens(0.25) and not counted:
            word = self._pick((phrases.OFTEN, phrases.ALWAYS, None))
            return replace(clause, frequency=word, never=word is None)
        # "must not" is another verb in German ("nicht dürfen")
        if not counted and clause.tense is not Tense.MUST and self._happens(0.14):
            return replace(clause, negative=True)
        return clause

    def _place(self, verb: Verb) -> Words:
        return self._pick(phrases.OUTDOORS if verb is verbs.ARRIVE or self._happens(0.6) else phrases.INDOORS)

    def _placed_in_time(self, clause: Clause) -> Clause:
        """Perhaps with a time that suits the tense."""
        if clause.frequency or clause.never or clause.verb is verbs.HAVE or not self._happens(0.4):
            return clause
        return replace(clause, time=self._time(clause.tense))

    def _time(self, tense: Tense) -> Words:
        past = tense is Tense.PAST
        kinds = {"day": 8, "clock": 3, "weekday": 3, "month": 2, "date": 3 if past else 0, "year": 2 if past else 0}
        match self._weighted(kinds):
            case "clock":
                return self._pick(phrases.CLOCK)
            case "weekday":
                return self._pick(phrases.WEEKDAYS)
            case "month":
                return self._pick(phrases.MONTHS)
            case "date":
                day = date(self._pick(range(2000, 2025)), self._pick(range(1, 13)), self._pick(range(1, 29)))
                return phrases.on_date(day)
            case "year":
                return phrases.in_year(self._pick(range(2000, 2025)))
        return self._pick(_DAYS.get(tense, phrases.FUTURE_DAYS))

    def _quality(self, tense: Tense, related: bool) -> Clause:
        """Somebody or something is old."""
        tense = tense if tense in (Tense.PAST, Tense.PRESENT) else Tense.PRESENT
        draws = {self._subject: 4, self._related_thing if related else self._plain_thing: 3, self._animal: 1}
        subject = self._weighted(draws)()
        while not subject.noun:  # an adjective agrees with a gender, which "I" or a name does not tell
            subject = self._subject()
        subject = replace(subject, adjective=None)  # lest the old man be young
        quality = self._pick(suiting(subject.noun))
        return Clause(subject, verbs.BE, tense, negative=self._happens(0.15), quality=quality)

    def _price(self, tense: Tense) -> Clause:
        tense = tense if tense is Tense.PAST else Tense.PRESENT
        # singular, since "cost" does not tell the tense in the plural
        subject = self._definite(_PRICED, plural=False)
        return Clause(subject, verbs.COST, tense, place=phrases.price(self._pick(_PRICES)))

    def _subject(self, related: bool = False) -> NounPhrase:
        """Somebody who does something."""
        if self._name and self._happens(0.6):
            return self._named()
        if self._happens(0.22):
            return self._pick(_PRONOUNS)
        if related and self._happens(0.14):
            return self._related(self._definite(_PERSON))
        if self._happens(0.2):
            owner = self._pick((Person.I, Person.WE))
            return _belonging(self._relation(), owner)
        return self._definite(_PERSON)

    def _somebody(self, subject: NounPhrase, pronouns: bool = True) -> NounPhrase:
        """Somebody else, in any place but the subject's."""
        if self._name and self._happens(0.6):
            return self._named()
        if pronouns and self._happens(0.2):
            return self._pick(_THIRD_PERSONS)
        owner = self._owner(subject)
        if owner and self._happens(0.25):
            return _belonging(self._relation(), *owner)
        other = self._definite(_PERSON)
        while other.noun is subject.noun:
            other = self._definite(_PERSON)
        return other

    def _named(self) -> NounPhrase:
        name, self._name = self._name, ""
        title = self._pick((None, None, phrases.MISTER, phrases.MISSIS))
        sex = {phrases.MISTER: "m", phrases.MISSIS: "f"}.get(title, "") if title else ""
        return NounPhrase(name=name, title=title, sex=sex)

    def _object(self, verb: Verb, subject: NounPhrase) -> NounPhrase:
        noun = self._pick(of_kinds(verb.objects))
        if "person" in noun.kinds:
            return self._somebody(subject)
        phrase = self._with_adjective(NounPhrase(noun=noun), 0.35)
        owner = self._owner(subject)
        kind = self._weighted({"the": 9, "a": 7, "plural": 3, "number": 2, "own": 3 if owner else 0, "of": 2})
        if verb is verbs.HAVE:
            kind = self._pick(("a", "plural", "number"))
        match kind:
            case "a":
                return replace(phrase, determiner=Determiner.INDEFINITE)
            case "plural":
                return replace(phrase, determiner=Determiner.INDEFINITE, count=2)
            case "number":
                return replace(phrase, determiner=Determiner.NUMBER, count=self._pick(_NUMBERS))
            case "own":
                assert owner is not None
                return _belonging(replace(phrase, count=self._pick((1, 1, 2))), *owner)
            case "of":
                return replace(phrase, possessor=self._possessor(subject))
        return replace(phrase, count=self._pick((1, 1, 1, 2)))

    def _possessor(self, subject: NounPhrase) -> NounPhrase:
        if self._name:
            return self._named()
        noun = self._pick([noun for noun in of_kinds(_PERSON) if noun is not subject.noun])
        return NounPhrase(noun=noun)

    def _owner(self, subject: NounPhrase) -> tuple[Person, str] | None:
        """Person and sex of a possessive that refers to the subject; none if English would need an unknown gender."""
        sex = subject.sex or (subject.noun.sex if subject.noun else "")
        if subject.person is Person.HE and not sex:
            return None
        return subject.person, sex if subject.person is Person.HE else ""

    def _definite(self, kinds: frozenset[str], plural: bool = True) -> NounPhrase:
        """The so-and-so, perhaps with an adjective, perhaps (if `plural`) several."""
        count = 2 if plural and self._happens(0.22) else 1
        return self._with_adjective(NounPhrase(noun=self._pick(of_kinds(kinds)), count=count), 0.25)

    def _relation(self) -> NounPhrase:
        """Somebody whom somebody else has: a sister, some friends, one mother."""
        relation = self._definite(_KIN)
        assert relation.noun is not None
        return replace(relation, count=1) if "parent" in relation.noun.kinds else relation

    def _with_adjective(self, phrase: NounPhrase, probability: float) -> NounPhrase:
        assert phrase.noun is not None
        adjectives = suiting(phrase.noun)
        return replace(phrase, adjective=self._pick(adjectives)) if self._happens(probability) else phrase

    def _animal(self) -> NounPhrase:
        return self._definite(_ANIMAL)

    def _plain_thing(self) -> NounPhrase:
        return self._definite(_PRICED)

    def _related(self, phrase: NounPhrase) -> NounPhrase:
        """The so-and-so who does or did something."""
        tense = self._pick((Tense.PAST, Tense.PRESENT))
        if self._happens(0.3):
            clause = Clause(phrase, verbs.LIVE, Tense.PRESENT, place=self._pick(phrases.HOMES))
        else:
            verb = self._pick((*verbs.TRANSITIVE, *verbs.INTRANSITIVE))
            clause = Clause(phrase, verb, tense, object=self._object(verb, phrase) if verb.objects else None)
        return replace(phrase, relative=Relative(clause, about_subject=True))

    def _related_thing(self) -> NounPhrase:
        """The thing that somebody bought, found or lost."""
        verb = self._pick([verb for verb in verbs.TRANSITIVE if "goods" in verb.objects])
        thing = self._definite(verb.objects - _ANIMAL)
        clause = Clause(self._subject(), verb, Tense.PAST)
        return replace(thing, relative=Relative(clause, about_subject=False))


def _belonging(phrase: NounPhrase, owner: Person, owner_sex: str = "") -> NounPhrase:
    return replace(phrase, determiner=Determiner.POSSESSIVE, owner=owner, owner_sex=owner_sex)
