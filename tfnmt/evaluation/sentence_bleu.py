"""BLEU of one sentence, as a reward."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence

ORDERS = 4


def sentence_bleu(hypothesis: Sequence[Hashable], reference: Sequence[Hashable]) -> float:
    """Smoothed BLEU of one sentence against one reference, 0 to 1.

    The precisions of orders 2 to 4 have one added above and below (Lin and Och 2004), so that a sentence without a
    common 4-gram still has a value. It is no measure to report: `metrics` has those.

    Args:
        hypothesis: words, or ids of words.
        reference: the same.
    """
    if not hypothesis or not reference:
        return 0.0
    logarithms = 0.0
    for order in range(1, ORDERS + 1):
        found, there = _counts(hypothesis, order), _counts(reference, order)
        matches, added = sum((found & there).values()), int(order > 1)
        if matches + added == 0:
            return 0.0
        logarithms += math.log((matches + added) / (sum(found.values()) + added))
    brevity = min(0.0, 1.0 - len(reference) / len(hypothesis))
    return math.exp(brevity + logarithms / ORDERS)


def _counts(words: Sequence[Hashable], order: int) -> Counter[tuple[Hashable, ...]]:
    return Counter(tuple(words[place : place + order]) for place in range(len(words) - order + 1))
