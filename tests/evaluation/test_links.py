from __future__ import annotations

import numpy as np
import pytest

from tfnmt.errors import UserError
from tfnmt.evaluation.links import GoldLinks, parse_gold, strongest_links, to_pharaoh


def test_strongest_links_has_one_link_a_target_word():
    weights = [[0.1, 0.9, 0.0], [0.6, 0.4, 0.0], [0.0, 0.0, 0.0]]
    assert strongest_links(weights) == {(1, 0), (0, 1)}  # the third word looks nowhere


def test_strongest_links_of_empty_sentences():
    assert strongest_links(np.zeros((0, 0))) == frozenset()
    assert strongest_links(np.zeros((3, 0))) == frozenset()


def test_pharaoh_is_ordered_by_target_and_read_back():
    links = {(2, 0), (0, 1), (10, 2)}
    assert to_pharaoh(links) == "2-0 0-1 10-2"
    assert parse_gold(to_pharaoh(links)).sure == links


def test_gold_links_tell_sure_from_possible():
    assert parse_gold("0-0 1?2 3-1\n") == GoldLinks(frozenset({(0, 0), (3, 1)}), frozenset({(0, 0), (1, 2), (3, 1)}))
    assert parse_gold("  ") == GoldLinks(frozenset(), frozenset())


@pytest.mark.parametrize("entry", ["0", "a-1", "1-", "-1-2", "1:2"])
def test_what_is_no_link_is_refused_with_its_place(entry):
    with pytest.raises(UserError, match=r"gold\.txt, line 3: .* is not a word alignment"):
        parse_gold(f"0-0 {entry}", "gold.txt, line 3")
