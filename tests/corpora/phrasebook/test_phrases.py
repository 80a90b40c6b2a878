"""Phrases that a library of numbers or locales feeds say what a person would say."""

from __future__ import annotations

from dataclasses import astuple
from datetime import date

import pytest

from tfnmt.corpora.phrasebook import phrases
from tfnmt.corpora.phrasebook.meaning import Words


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        (phrases.numeral(16), ("sixteen", "sechzehn", "seize")),
        (phrases.numeral(30), ("thirty", "dreißig", "trente")),
        (phrases.on_date(date(2024, 8, 17)), ("on August 17, 2024", "am 17. August 2024", "le 17 août 2024")),
        (phrases.on_date(date(2003, 3, 1)), ("on March 1, 2003", "am 1. März 2003", "le 1er mars 2003")),
        (phrases.on_date(date(2003, 3, 11)), ("on March 11, 2003", "am 11. März 2003", "le 11 mars 2003")),
        (phrases.in_year(2011), ("in 2011", "im Jahr 2011", "en 2011")),
        (phrases.price(475), ("4.75 euros", "4,75 Euro", "4,75 euros")),
        (phrases.WEEKDAYS[2], ("on Wednesday", "am Mittwoch", "mercredi")),
        (phrases.MONTHS[11], ("in December", "im Dezember", "en décembre")),
        (phrases.CLOCK[3], ("at half past three", "um halb vier", "à trois heures et demie")),
    ],
)
def test_phrase(phrase: Words, expected: tuple[str, str, str]) -> None:
    assert astuple(phrase) == expected


def test_countries() -> None:
    assert ("in Austria", "in Österreich", "en Autriche") in [astuple(place) for place in phrases.HOMES]
    assert len({place.english for place in phrases.OUTDOORS}) == len(phrases.OUTDOORS)
