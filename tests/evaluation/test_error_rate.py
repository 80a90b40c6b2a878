from __future__ import annotations

import math

import pytest

from tfnmt.errors import UserError
from tfnmt.evaluation.error_rate import alignment_error_rate, alignment_quality
from tfnmt.evaluation.links import parse_gold

GOLD = [parse_gold("0-0 1-1 2?1"), parse_gold("0-1 1?0")]


def test_worked_example():
    # |A| = 5, |Sure| = 3; in Sure: 0-0, 0-1 = 2; in Possible: 0-0, 2-1, 0-1, 1-0 = 4.
    found = [frozenset({(0, 0), (2, 1), (3, 3)}), frozenset({(0, 1), (1, 0)})]
    assert alignment_error_rate(found, GOLD) == pytest.approx(1 - (2 + 4) / (5 + 3))
    assert alignment_quality(found, GOLD) == pytest.approx((4 / 5, 2 / 3, 1 - 6 / 8, 5, 3, 5))


def test_anything_between_sure_and_possible_is_perfect():
    assert alignment_error_rate([pair.sure for pair in GOLD], GOLD) == 0
    assert alignment_error_rate([pair.possible for pair in GOLD], GOLD) == 0


def test_nothing_found_and_nothing_right_are_both_one():
    assert alignment_error_rate([frozenset()] * 2, GOLD) == 1
    assert alignment_error_rate([frozenset({(9, 9)})] * 2, GOLD) == 1


def test_undefined_without_links():
    assert math.isnan(alignment_error_rate([frozenset()], [parse_gold("")]))


def test_sides_of_unequal_length_are_refused():
    with pytest.raises(UserError, match="1 alignments but 2 lines"):
        alignment_error_rate([frozenset()], GOLD)
