"""What is drawn can be said, and is said in one way only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from tfnmt.corpora.phrasebook import english, french, german
from tfnmt.corpora.phrasebook.meaning import Coordination, Question, Report, SharedSubject, Statement, Subordination
from tfnmt.corpora.phrasebook.sampler import Sampler

Choice = TypeVar("Choice")


class FewWords(Sampler):
    """Draws from a small part of every list, so that equal sentences come up often."""

    def _pick(self, choices: Sequence[Choice]) -> Choice:
        return super()._pick(choices[:2])


def test_translation_is_a_function_of_the_english_sentence() -> None:
    sampler = FewWords(7, ("Tavik", "Zelin"))
    translations: dict[str, set[tuple[str, str]]] = {}
    for _ in range(8_000):
        meaning = sampler.sentence()
        both = (german.sentence(meaning), french.sentence(meaning))
        translations.setdefault(english.sentence(meaning), set()).add(both)
    assert len(translations) < 7_500  # hundreds of sentences came again
    assert [ambiguous for ambiguous in translations.items() if len(ambiguous[1]) > 1] == []


def test_every_kind_of_sentence_is_drawn() -> None:
    sampler = Sampler(1, ("Tavik",))
    kinds = {type(sampler.sentence()) for _ in range(300)}
    assert kinds == {Statement, SharedSubject, Report, Subordination, Coordination, Question}


def test_seed_decides() -> None:
    def drawn(seed: int) -> list[str]:
        sampler = Sampler(seed, ("Tavik",))
        return [english.sentence(sampler.sentence()) for _ in range(50)]

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
