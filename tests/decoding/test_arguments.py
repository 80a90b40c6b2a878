"""What a person hands over is taken as it is, or refused by its name."""

from __future__ import annotations

import numpy as np
import pytest

from tfnmt.decoding.arguments import encoded, encoded_pairs, of_kind, whole_number
from tfnmt.errors import UserError


@pytest.mark.parametrize("number", [3, np.int64(3), np.uint8(3)])
def test_any_whole_number_is_one(number):
    assert whole_number("size", number, 1) == 3


@pytest.mark.parametrize("number", [0, -1, 2.0, "3", None])
def test_another_is_refused(number):
    with pytest.raises(UserError, match="size must be"):
        whole_number("size", number, 1)


def test_a_kind_or_none():
    assert of_kind("word", "a", str) == "a"
    assert of_kind("word", None, str | None) is None
    with pytest.raises(TypeError, match="word must be a str, not 5"):
        of_kind("word", 5, str)
    with pytest.raises(TypeError, match=r"word must be a str \| None, not 5"):
        of_kind("word", 5, str | None)


def test_strings_become_utf_8():
    assert encoded("sentences", ["ä", "\ud800"]) == ["ä".encode(), b"?"]
    for wrong in ("a", ["a", 5]):
        with pytest.raises(UserError, match="sentences"):
            encoded("sentences", wrong)


def test_pairs_are_of_one_length():
    assert encoded_pairs(["a"], ["b"]) == ([b"a"], [b"b"])
    with pytest.raises(UserError):
        encoded_pairs(["a"], ["b", "c"])
