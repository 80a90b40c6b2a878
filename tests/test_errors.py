"""The hint that ends an error about an unknown name."""

from __future__ import annotations

from tfnmt.errors import nearest


def test_the_nearest_name_is_proposed() -> None:
    assert nearest("rnnserch50", ["rnnsearch50", "luong_base"]) == "Did you mean 'rnnsearch50'?"


def test_without_a_near_name_all_are_told() -> None:
    assert nearest("zzz", ["b", "a"]) == "Known: a, b."


def test_there_may_be_none() -> None:
    assert nearest("a", []) == "None is known."
