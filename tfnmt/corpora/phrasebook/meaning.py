"""What a sentence of the built-in corpus says, before any language says it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Person(Enum):
    """Grammatical persons that occur."""

    I = "I"  # noqa: E741
    WE = "we"
    HE = "he"  # third person singular of whatever gender
    THEY = "they"


class Tense(Enum):
    """When it happens, or with which modal verb it is said (present tense, then)."""

    PRESENT = "present"
    PAST = "past"
    FUTURE = "future"
    CAN = "can"
    MUST = "must"
    WANT = "want to"
    SHOULD = "should"


class Determiner(Enum):
    """What stands before a noun."""

    DEFINITE = "the"
    INDEFINITE = "a"  # nothing, in the plural
    POSSESSIVE = "my"
    NUMBER = "three"


@dataclass(frozen=True, eq=False)
class Words:
    """A phrase that never changes, in the three languages."""

    english: str
    german: str
    french: str


@dataclass(frozen=True, eq=False)
class Noun:
    """A noun's forms; genders are "m", "f" and "n"."""

    english: str
    english_plural: str
    german_gender: str
    german: str
    german_plural: str
    german_genitive: str
    german_oblique: str  # accusative and dative singular
    french_gender: str
    french: str
    french_plural: str
    kinds: frozenset[str]
    sex: str  # "m" or "f" where English says he or she, else ""


@dataclass(frozen=True, eq=False)
class Adjective:
    """An adjective's forms."""

    english: str
    german: str
    french: tuple[str, str, str, str]  # masculine, feminine, and their plurals
    french_before_vowel: str  # masculine singular
    french_first: bool  # stands before its noun
    kinds: frozenset[str]


@dataclass(frozen=True, eq=False)
class GermanVerb:
    """A German verb; in the past the third person is the first."""

    infinitive: str
    first: str
    third: str
    plural: str
    participle: str
    prefix: str  # "" unless separable; only `infinitive` and `participle` include it
    auxiliary: str  # "haben" or "sein"
    dative: bool  # whether its one object is in the dative
    past: str  # preterite, "" where the perfect is used


@dataclass(frozen=True, eq=False)
class FrenchVerb:
    """A French verb; the present is that of je, il, nous, ils."""

    infinitive: str
    present: tuple[str, str, str, str]
    participle: str
    future_stem: str
    auxiliary: str  # "avoir" or "être"
    imperfect_stem: str  # "" where the compound past is used


@dataclass(frozen=True, eq=False)
class Verb:
    """A verb, and what it goes with."""

    english: str
    english_third: str
    english_past: str
    english_particle: str
    german: GermanVerb
    french: FrenchVerb
    objects: frozenset[str]  # the kinds of nouns that may be its object; none: intransitive


@dataclass(frozen=True)
class NounPhrase:
    """Somebody or something.

    Exactly one of `noun`, `name` and `pronoun` says what it is.
    """

    noun: Noun | None = None
    name: str = ""
    title: Words | None = None  # before a name
    pronoun: Person | None = None
    sex: str = ""  # "m" or "f" of a pronoun or a titled name, "" if unknown
    determiner: Determiner = Determiner.DEFINITE
    owner: Person | None = None  # of a possessive
    owner_sex: str = ""
    count: int = 1  # above 1: plural, said as a numeral if the determiner is NUMBER
    adjective: Adjective | None = None
    possessor: NounPhrase | None = None  # the teacher's ...
    relative: Relative | None = None

    @property
    def plural(self) -> bool:
        """Whether there are several."""
        return self.count > 1 or self.pronoun in (Person.WE, Person.THEY)

    @property
    def person(self) -> Person:
        """The person that a verb agrees with."""
        return self.pronoun or (Person.THEY if self.plural else Person.HE)

    @property
    def definite(self) -> bool:
        """Whether hearer and speaker know which one is meant."""
        return self.determiner in (Determiner.DEFINITE, Determiner.POSSESSIVE)


@dataclass(frozen=True)
class Companion:
    """With, without or for somebody."""

    preposition: Words
    whom: NounPhrase


@dataclass(frozen=True)
class Clause:
    """Who does what to whom, with whom, where and when."""

    subject: NounPhrase
    verb: Verb
    tense: Tense = Tense.PRESENT
    negative: bool = False
    frequency: Words | None = None  # often, always
    never: bool = False
    recipient: NounPhrase | None = None
    object: NounPhrase | None = None
    quality: Adjective | None = None  # after "to be"
    companion: Companion | None = None
    place: Words | None = None  # or another complement that never changes, such as a price
    time: Words | None = None


@dataclass(frozen=True)
class Relative:
    """A clause about a noun, which is its subject or else its object.

    A subject stands in the clause, as what the verb agrees with; an object does not.
    """

    clause: Clause
    about_subject: bool


@dataclass(frozen=True)
class Statement:
    """A main clause; `time_first` puts the time before the rest."""

    clause: Clause
    time_first: bool = False


@dataclass(frozen=True)
class SharedSubject:
    """The subject does the one and the other; both clauses are in the past, their subjects are the same."""

    first: Clause
    second: Clause


@dataclass(frozen=True)
class Report:
    """Somebody says that ..."""

    subject: NounPhrase
    verb: Verb
    content: Clause


@dataclass(frozen=True)
class Subordination:
    """A main clause with a subordinate one before or behind it."""

    main: Clause
    conjunction: Words
    subordinate: Clause
    subordinate_first: bool


@dataclass(frozen=True)
class Coordination:
    """A statement, and another sentence with a conjunction between them."""

    first: Statement
    conjunction: Words
    second: Sentence


@dataclass(frozen=True)
class Question:
    """A question to be answered by yes or no, or with a question word."""

    clause: Clause
    word: Words | None = None


Sentence = Statement | SharedSubject | Report | Subordination | Coordination | Question
