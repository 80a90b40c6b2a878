import math

import pytest
from sacrebleu.metrics import BLEU

from tfnmt.evaluation.sentence_bleu import sentence_bleu

SENTENCES = [
    ("the cat sat on the mat", "the cat is on the mat"),
    ("the the the the", "the cat"),
    ("a b", "a b c d e f"),
    ("a", "a"),
    ("b a", "a b"),
    ("a b c d e f g", "a b c d"),
]


@pytest.mark.parametrize(("hypothesis", "reference"), SENTENCES)
def test_equals_sacrebleu_s_sentence_bleu_with_one_added(hypothesis: str, reference: str) -> None:
    peer = BLEU(smooth_method="add-k", smooth_value=1, effective_order=False, tokenize="none")
    expected = peer.sentence_score(hypothesis, [reference]).score / 100
    assert sentence_bleu(hypothesis.split(), reference.split()) == pytest.approx(expected, abs=1e-6)


def test_ids_will_do_and_a_sentence_is_best_at_itself() -> None:
    assert sentence_bleu([4, 5, 6, 7], [4, 5, 6, 7]) == 1.0
    assert sentence_bleu([4, 5, 6], [4, 5, 6]) == pytest.approx(1.0)


def test_nothing_in_common_is_worth_nothing() -> None:
    assert sentence_bleu([4], [5]) == sentence_bleu([], [5]) == sentence_bleu([5], []) == 0.0


def test_a_short_sentence_is_punished() -> None:
    assert sentence_bleu(["a"], ["a", "b"]) == pytest.approx(math.exp(1 - 2))
