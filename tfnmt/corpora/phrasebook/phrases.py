"""Phrases of the built-in corpus that never change: places, times, conjunctions, prices, dates."""

from __future__ import annotations

from datetime import date
from functools import cache

from babel import Locale
from babel.dates import format_date, get_day_names, get_month_names
from babel.numbers import format_decimal
from num2words import num2words

from tfnmt.corpora.phrasebook.meaning import Words

_LANGUAGES = ("en", "de", "fr")

WITH, WITHOUT, FOR = Words("with", "mit", "avec"), Words("without", "ohne", "sans"), Words("for", "für", "pour")

AND, BUT = Words("and", "und", "et"), Words("but", "aber", "mais")
BECAUSE = Words("because", "weil", "parce que")
IF = Words("if", "wenn", "si")
WHEN = Words("when", "als", "quand")
WHILE = Words("while", "während", "pendant que")
WHY, WHERE, WHEN_ASKED = (
    Words("why", "warum", "pourquoi"),
    Words("where", "wo", "où"),
    Words("when", "wann", "quand"),
)

MISTER, MISSIS = Words("Mr.", "Herr", "monsieur"), Words("Mrs.", "Frau", "madame")

OFTEN, ALWAYS = Words("often", "oft", "souvent"), Words("always", "immer", "toujours")

_CITIES = (
    Words("in Berlin", "in Berlin", "à Berlin"),
    Words("in London", "in London", "à Londres"),
    Words("in Vienna", "in Wien", "à Vienne"),
    Words("in Munich", "in München", "à Munich"),
    Words("in Rome", "in Rom", "à Rome"),
    Words("in Geneva", "in Genf", "à Genève"),
)

# countries without an article in German, and feminine or vowel-initial in French ("en")
_COUNTRIES = tuple(
    Words(f"in {english[code]}", f"in {german[code]}", f"en {french[code]}")
    for english, german, french in [[Locale(language).territories for language in _LANGUAGES]]
    for code in ("DE", "FR", "IT", "ES", "AT", "SE", "NO", "PL")
)

INDOORS = (
    Words("in the kitchen", "in der Küche", "dans la cuisine"),
    Words("in the garden", "im Garten", "dans le jardin"),
    Words("in the park", "im Park", "dans le parc"),
    Words("in the hotel", "im Hotel", "à l'hôtel"),
    Words("in the living room", "im Wohnzimmer", "dans le salon"),
)

OUTDOORS = (
    *_CITIES,
    *_COUNTRIES,
    Words("at the station", "am Bahnhof", "à la gare"),
    Words("at the market", "auf dem Markt", "au marché"),
    Words("at school", "in der Schule", "à l'école"),
    Words("in the village", "im Dorf", "au village"),
)

HOMES = (*_CITIES, *_COUNTRIES)


WEEKDAYS = tuple(
    Words(f"on {english}", f"am {german}", french)
    for english, german, french in zip(
        *([get_day_names("wide", locale=language)[day] for day in range(7)] for language in _LANGUAGES), strict=True
    )
)

MONTHS = tuple(
    Words(f"in {english}", f"im {german}", f"en {french}")
    for english, german, french in zip(
        *([get_month_names("wide", locale=language)[month] for month in range(1, 13)] for language in _LANGUAGES),
        strict=True,
    )
)


@cache
def numeral(number: int) -> Words:
    """A number in words; French one is left out, since it has two genders."""
    return Words(*(num2words(number, lang=language) for language in _LANGUAGES))


def _hour(number: int) -> tuple[Words, Words]:
    """At the full hour, and at half past it."""
    at, after = numeral(number), numeral(number + 1)
    # two clocks: German counts the half hour towards the coming hour
    return (
        Words(f"at {at.english} o'clock", f"um {at.german} Uhr", f"à {at.french} heures"),
        Words(f"at half past {at.english}", f"um halb {after.german}", f"à {at.french} heures et demie"),
    )


CLOCK = tuple(time for number in range(2, 12) for time in _hour(number))

_ANY_DAY = (
    Words("today", "heute", "aujourd'hui"),
    Words("in the evening", "am Abend", "le soir"),
    Words("in the morning", "am Morgen", "le matin"),
)

PRESENT_DAYS = (
    *_ANY_DAY,
    Words("every day", "jeden Tag", "tous les jours"),
    Words("every week", "jede Woche", "chaque semaine"),
    Words("now", "jetzt", "maintenant"),
)

PAST_DAYS = (
    *_ANY_DAY,
    Words("yesterday", "gestern", "hier"),
    Words("last week", "letzte Woche", "la semaine dernière"),
    Words("last year", "letztes Jahr", "l'année dernière"),
    Words("this morning", "heute Morgen", "ce matin"),
)

FUTURE_DAYS = (
    *_ANY_DAY,
    Words("tomorrow", "morgen", "demain"),
    Words("next week", "nächste Woche", "la semaine prochaine"),
    Words("next year", "nächstes Jahr", "l'année prochaine"),
    Words("soon", "bald", "bientôt"),
)


def on_date(day: date) -> Words:
    """A date in full: "on May 3, 2019", "am 3. Mai 2019", "le 3 mai 2019"."""
    english, german, french = (format_date(day, "long", locale=language) for language in _LANGUAGES)
    # the first of a month is an ordinal in French
    return Words(f"on {english}", f"am {german}", "le " + ("1er" + french[1:] if day.day == 1 else french))


def in_year(year: int) -> Words:
    """In a year: German says it without a preposition, or with a noun as here."""
    return Words(f"in {year}", f"im Jahr {year}", f"en {year}")


def price(cents: int) -> Words:
    """A price in euros, with the decimal sign of the language."""
    amounts = (format_decimal(cents / 100, "0.00", locale=language) for language in _LANGUAGES)
    english, german, french = amounts
    return Words(f"{english} euros", f"{german} Euro", f"{french} euros")
