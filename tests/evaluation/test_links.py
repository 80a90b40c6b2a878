from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from tfnmt.errors import UserError
from tfnmt.evaluation.error_rate import alignment_error_rate
from tfnmt.evaluation.links import GoldLinks, parse_gold, strongest_links, to_pharaoh, turned


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


# The counts are those of the corpora's own description.
@pytest.mark.parametrize(
    ("name", "pairs", "sure", "only_possible"),
    [
        ("hansards.en-fr", 447, 4038, 13400),
        ("alibi.en-fr", 522, 8452, 14147),
        ("europarl100.en-de", 100, 1232, 0),
        ("naacl2003.en-ro", 248, 6198, 0),
    ],
)
def test_gold_links_of_real_corpora(name, pairs, sure, only_possible):
    data = Path(os.environ.get("TFNMT_DATA", Path(__file__).parents[2].parent / "shared" / "data"))
    path = data / "alignments" / name / "test.align"
    if not path.exists():
        pytest.skip(f"the gold alignments are not here: {path}")
    lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    gold = [parse_gold(line, f"{path}, line {number}") for number, line in enumerate(lines, start=1)]
    assert len(gold) == pairs
    assert sum(len(pair.sure) for pair in gold) == sure
    assert sum(len(pair.possible - pair.sure) for pair in gold) == only_possible
    assert alignment_error_rate([pair.sure for pair in gold], gold) == 0


def test_links_are_turned_for_the_other_direction():
    assert turned(parse_gold("0-1 2?3")) == parse_gold("1-0 3?2")
