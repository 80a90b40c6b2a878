"""Pairs in memory behave like pairs in files."""

from __future__ import annotations

from tfnmt.corpora.sentence_pairs import PairList


def test_pairs_in_memory() -> None:
    pairs = PairList([("one", "eins"), ("two", "zwei")], name="numbers")
    assert [(pair.source, pair.target, str(pair.where)) for pair in pairs] == [
        ("one", "eins", "numbers:1"),
        ("two", "zwei", "numbers:2"),
    ]
    assert list(pairs) == list(pairs)
    assert (list(pairs.sources()), list(pairs.targets())) == (["one", "two"], ["eins", "zwei"])
    assert len(pairs) == 2


def test_fingerprint_tells_where_one_side_ends() -> None:
    lists = [[("ab", "c")], [("a", "bc")], [("abc", "")], [("c", "ab")], [("ab", "c"), ("", "")]]
    prints = [str(PairList(pairs).fingerprint) for pairs in lists]
    assert len(set(prints)) == len(lists)
    assert str(PairList(lists[0]).fingerprint) == prints[0]
    assert str(PairList(lists[0], name="other").fingerprint) != prints[0]
