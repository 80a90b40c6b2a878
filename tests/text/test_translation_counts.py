"""A lexicon counted from links, against shares worked out by hand."""

from __future__ import annotations

import pytest

from tfnmt.errors import UserError
from tfnmt.text.lexicon import WordTranslation
from tfnmt.text.translation_counts import TranslationCounts


def counted() -> TranslationCounts:
    counts = TranslationCounts()
    counts.add(["the", "dog"], ["der", "Hund"], [(0, 0), (1, 1)])
    counts.add(["the", "dog"], ["dem", "Hund"], [(0, 0), (1, 1)])
    counts.add(["the", "the", "cat"], ["der", "das", "Kater"], [(0, 0), (1, 1), (1, 2)])
    return counts


def test_probabilities_are_shares_of_a_word_s_links() -> None:
    assert counted().lexicon(9).entries == {
        "dog": (WordTranslation("Hund", 1.0),),
        "the": tuple(WordTranslation(*pair) for pair in [("der", 0.4), ("Kater", 0.2), ("das", 0.2), ("dem", 0.2)]),
    }


def test_the_likeliest_are_kept_and_rare_ones_left_out() -> None:
    assert counted().lexicon(1).entries["the"] == (WordTranslation("der", 0.4),)
    assert counted().lexicon(9, minimum_count=2).entries == {
        "dog": (WordTranslation("Hund", 1.0),),
        "the": (WordTranslation("der", 0.4),),
    }
    assert counted().links == 7


def test_a_link_outside_the_sentence_names_its_line() -> None:
    with pytest.raises(UserError, match="links, line 3: the link 1-2 is outside a pair of 2 and 2 words"):
        TranslationCounts().add(["a", "b"], ["c", "d"], [(1, 2)], "links, line 3")
