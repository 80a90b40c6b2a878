"""The built-in corpus in French: agreement, clitics, two-part negation, adjectives on both sides, elision."""

from __future__ import annotations

from tfnmt.corpora.phrasebook.meaning import (
    Adjective,
    Clause,
    Coordination,
    Determiner,
    NounPhrase,
    Person,
    Question,
    Report,
    Sentence,
    SharedSubject,
    Statement,
    Subordination,
    Tense,
)
from tfnmt.corpora.phrasebook.orthography import line
from tfnmt.corpora.phrasebook.phrases import numeral
from tfnmt.corpora.phrasebook.verbs import BE, HAVE

# Forms stand in the order je, il, nous, ils.
_PERSONS = {Person.I: 0, Person.HE: 1, Person.WE: 2, Person.THEY: 3}
_FUTURE = ("ai", "a", "ons", "ont")
_IMPERFECT = ("ais", "ait", "ions", "aient")
_MODAL = {
    Tense.CAN: ("peux", "peut", "pouvons", "peuvent"),
    Tense.MUST: ("dois", "doit", "devons", "doivent"),
    Tense.WANT: ("veux", "veut", "voulons", "veulent"),
    Tense.SHOULD: ("devrais", "devrait", "devrions", "devraient"),
}
_AUXILIARY = {"avoir": HAVE, "être": BE}

_SUBJECT = {(Person.I, ""): "je", (Person.WE, ""): "nous", (Person.HE, "m"): "il", (Person.HE, "f"): "elle"}
_CLITIC = {"m": "le", "f": "la"}
# masculine, feminine, plural; before a vowel the feminine takes the masculine form
_POSSESSIVE = {
    Person.I: ("mon", "ma", "mes"),
    Person.WE: ("notre", "notre", "nos"),
    Person.HE: ("son", "sa", "ses"),
    Person.THEY: ("leur", "leur", "leurs"),
}
_VOWELS = "aeiouàâéèêëîïôöûùüœ"
_ELIDED = {"le", "la", "je", "ne", "de", "que"}
_CONTRACTED = {("à", "le"): "au", ("à", "les"): "aux", ("de", "le"): "du", ("de", "les"): "des"}


def sentence(meaning: Sentence) -> str:
    """A whole sentence with its punctuation; French puts a space before a question mark."""
    return line(_elide(_words(meaning)), " ?" if isinstance(meaning, Question) else ".")


def _words(meaning: Sentence) -> list[str]:
    match meaning:
        case Statement(clause, time_first):
            if not time_first:
                return clause_words(clause)
            assert clause.time is not None
            return [clause.time.french, ",", *clause_words(clause, time=False)]
        case SharedSubject(first, second):
            return [*clause_words(first), "et", *clause_words(second, subject=False)]
        case Report(subject, verb, content):
            return [*clause_words(Clause(subject, verb)), "que", *clause_words(content)]
        case Subordination(main, conjunction, subordinate, subordinate_first):
            dependent = [*conjunction.french.split(), *clause_words(subordinate)]
            return [*dependent, ",", *clause_words(main)] if subordinate_first else clause_words(main) + dependent
        case Coordination(first, conjunction, second):
            comma = [","] if conjunction.french == "mais" else []
            return [*_words(first), *comma, conjunction.french, *_words(second)]
        case Question(clause, word):
            return [*([word.french] if word else []), "est-ce", "que", *clause_words(clause)]


def clause_words(
    clause: Clause, subject: bool = True, time: bool = True, antecedent: NounPhrase | None = None
) -> list[str]:
    """Subject, verb and the rest, whatever the kind of clause.

    Args:
        clause: What to say.
        subject: Whether to say the subject.
        time: Whether to say the time.
        antecedent: What a relative clause is about if it is the clause's object.
    """
    words = noun_phrase(clause.subject) if subject else []
    words += _verb_group(clause, antecedent)
    if clause.quality:
        words.append(_agreement(clause.quality, clause.subject))
    if clause.object and not clause.object.pronoun:
        words += noun_phrase(clause.object, negated=clause.negative or clause.never)
    if clause.recipient and not clause.recipient.pronoun:
        words += _after("à", clause.recipient)
    if clause.companion:
        words += [clause.companion.preposition.french, *noun_phrase(clause.companion.whom)]
    return words + [phrase.french for phrase in (clause.place, clause.time if time else None) if phrase]


def _verb_group(clause: Clause, antecedent: NounPhrase | None) -> list[str]:
    """The verb with clitics, auxiliaries, negation and the adverbs that follow the finite form."""
    french, person = clause.verb.french, _PERSONS[clause.subject.person]
    clitic = _clitic(clause)
    before, after = clitic, []  # of the finite verb
    if clause.tense in _MODAL:
        finite, before, after = _MODAL[clause.tense][person], [], [*clitic, french.infinitive]
    elif clause.tense is Tense.FUTURE:
        finite = french.future_stem + _FUTURE[person]
    elif clause.tense is Tense.PAST and french.imperfect_stem:
        finite = french.imperfect_stem + _IMPERFECT[person]
    elif clause.tense is Tense.PAST:
        finite = _AUXILIARY[french.auxiliary].french.present[person]
        after = [_participle(clause, antecedent)]
    else:
        finite = french.present[person]
    adverbs = ["jamais"] if clause.never else ["pas"] if clause.negative else []
    negation = ["ne"] if adverbs else []
    if clause.frequency:
        adverbs.append(clause.frequency.french)
    return [*negation, *before, finite, *adverbs, *after]


def _clitic(clause: Clause) -> list[str]:
    if clause.object and clause.object.pronoun:
        return [_CLITIC[clause.object.sex]]
    return ["lui"] if clause.recipient and clause.recipient.pronoun else []


def _participle(clause: Clause, antecedent: NounPhrase | None) -> str:
    """With être it agrees with the subject, with avoir with an object that stands before it."""
    french = clause.verb.french
    clitic = clause.object if clause.object and clause.object.pronoun else None
    agreeing = clause.subject if french.auxiliary == "être" else antecedent or clitic
    if agreeing is None:
        return french.participle
    form = french.participle + ("e" if _gender(agreeing) == "f" else "")
    return form + ("s" if agreeing.plural and not form.endswith("s") else "")


def _gender(phrase: NounPhrase) -> str:
    return phrase.noun.french_gender if phrase.noun else phrase.sex


def _agreement(adjective: Adjective, phrase: NounPhrase) -> str:
    return adjective.french[(_gender(phrase) == "f") + 2 * phrase.plural]


def noun_phrase(phrase: NounPhrase, negated: bool = False) -> list[str]:
    """A noun phrase, the same as subject and object; negated, an indefinite article becomes "de"."""
    if phrase.pronoun:
        return [_SUBJECT[phrase.pronoun, phrase.sex]]
    if phrase.name:
        return [*([phrase.title.french] if phrase.title else []), phrase.name]
    noun, adjective = phrase.noun, phrase.adjective
    assert noun is not None
    words = [noun.french_plural if phrase.plural else noun.french]
    if adjective:
        form = _agreement(adjective, phrase)
        if adjective.french_first and not phrase.plural and noun.french_gender == "m" and _begins_with_vowel(words[0]):
            form = adjective.french_before_vowel
        words = [form, *words] if adjective.french_first else [*words, form]
    words = _determiner(phrase, words[0], negated) + words
    if phrase.possessor:
        words += _after("de", phrase.possessor)
    return words + (_relative(phrase) if phrase.relative else [])


def _determiner(phrase: NounPhrase, following: str, negated: bool) -> list[str]:
    noun = phrase.noun
    assert noun is not None
    feminine = noun.french_gender == "f"
    match phrase.determiner:
        case Determiner.DEFINITE:
            return ["les" if phrase.plural else "la" if feminine else "le"]
        case Determiner.POSSESSIVE:
            assert phrase.owner is not None
            before_vowel = feminine and _begins_with_vowel(following)
            return [_POSSESSIVE[phrase.owner][2 if phrase.plural else int(feminine and not before_vowel)]]
        case Determiner.NUMBER:
            return [numeral(phrase.count).french]
        case Determiner.INDEFINITE:
            if negated:
                return ["de"]
            if phrase.plural:
                first = phrase.adjective is not None and phrase.adjective.french_first
                return ["de" if first else "des"]
            return ["une" if feminine else "un"]


def _after(preposition: str, phrase: NounPhrase) -> list[str]:
    """A noun phrase after à or de, contracted with its article (but not with an elided one)."""
    words = noun_phrase(phrase)
    elided = words[0] == "le" and _begins_with_vowel(words[1])
    contracted = _CONTRACTED.get((preposition, words[0])) if not elided and not phrase.name else None
    return [contracted, *words[1:]] if contracted else [preposition, *words]


def _relative(phrase: NounPhrase) -> list[str]:
    relative = phrase.relative
    assert relative is not None
    if relative.about_subject:
        return ["qui", *clause_words(relative.clause, subject=False)]
    return ["que", *clause_words(relative.clause, antecedent=phrase)]


def _begins_with_vowel(word: str) -> bool:
    """Whether a word makes the one before it elide; the h of the nouns here is mute."""
    return word[0] in _VOWELS or (word[0] == "h" and word != "huit")


def _elide(words: list[str]) -> list[str]:
    """Drop final vowels before vowels: le + homme = l'homme, si + il = s'il."""
    joined: list[str] = []
    for word in words:
        last = joined[-1] if joined else ""
        if last in _ELIDED and _begins_with_vowel(word):
            joined[-1] = last[:-1] + "'" + word
        elif last == "si" and word == "il":
            joined[-1] = "s'il"
        else:
            joined.append(word)
    return joined
