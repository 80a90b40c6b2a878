from __future__ import annotations

import pytest

from tfnmt.errors import UserError
from tfnmt.evaluation.lengths import bleu_by_reference_length, bleu_by_source_length
from tfnmt.evaluation.metrics import bleu_detokenized, chrf


def sentence(words: int) -> str:
    return " ".join(f"w{position}" for position in range(words))


def test_source_lengths_are_grouped_in_tens_and_scored_apart():
    sources = [sentence(words) for words in (11, 1, 10, 35, 20, 0)]
    references = [sentence(9)] * 6
    hypotheses = ["wrong", sentence(9), sentence(9), sentence(9), "wrong", sentence(9)]
    groups = bleu_by_source_length(sources, hypotheses, references, metric=bleu_detokenized)
    assert [(group.shortest, group.longest, group.sentences) for group in groups] == [
        (1, 10, 3),
        (11, 20, 2),
        (31, 40, 1),
    ]
    assert [group.score.value for group in groups] == pytest.approx([100, 0, 100])


def test_width_of_a_source_group():
    groups = bleu_by_source_length([sentence(5), sentence(6)], ["a"] * 2, ["a"] * 2, width=5, metric=chrf)
    assert [(group.shortest, group.longest) for group in groups] == [(1, 5), (6, 10)]


def test_reference_length_groups_hold_equally_many_sentences():
    references = [sentence(words) for words in (30, 5, 7, 6, 31)]
    hypotheses = ["wrong", *references[1:4], "wrong"]
    groups = bleu_by_reference_length(hypotheses, references, sentences=2, metric=chrf)
    assert [(group.shortest, group.longest, group.sentences) for group in groups] == [
        (5, 6, 2),
        (7, 30, 2),
        (31, 31, 1),
    ]
    values = [group.score.value for group in groups]
    assert values[0] == pytest.approx(100) and values[2] < values[1] < 100


def test_unequal_sides_and_impossible_sizes_are_refused():
    with pytest.raises(UserError, match="1 source sentences, 2 translations and 2 references"):
        bleu_by_source_length(["a"], ["a", "b"], ["a", "b"])
    with pytest.raises(UserError, match="not 0"):
        bleu_by_source_length(["a"], ["a"], ["a"], width=0)
    with pytest.raises(UserError, match="not 0"):
        bleu_by_reference_length(["a"], ["a"], sentences=0)
