from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
import tensorflow as tf
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tfnmt.errors import UserError
from tfnmt.text.vocabulary import END, PAD, START, UNKNOWN, Vocabulary


def test_entries_follow_the_four_control_symbols():
    vocabulary = Vocabulary(["the", "dog"])
    assert (PAD, START, END, UNKNOWN) == (0, 1, 2, 3)
    assert vocabulary.size == 6
    assert vocabulary.ids(tf.constant(["the", "dog", "cat", ""])).numpy().tolist() == [4, 5, 3, 3]
    assert vocabulary.tokens(tf.range(6)).numpy().tolist() == [b"", b"", b"", b"<unk>", b"the", b"dog"]


def test_ragged_in_ragged_out():
    vocabulary = Vocabulary(["the", "dog"])
    ids = vocabulary.ids(tf.ragged.constant([["dog"], [], ["the", "x"]]))
    assert ids.to_list() == [[5], [], [4, 3]]
    assert ids.dtype == tf.int32
    assert vocabulary.tokens(ids).to_list() == [[b"dog"], [], [b"the", b"<unk>"]]


def test_a_word_spelled_like_a_control_symbol_is_a_word():
    vocabulary = Vocabulary(["<pad>", "</s>", "<unk>"])
    assert vocabulary.ids(tf.constant(["<pad>", "</s>", "<unk>", "<s>"])).numpy().tolist() == [4, 5, 6, 3]


def test_an_id_outside_is_refused():  # C19
    with pytest.raises(tf.errors.InvalidArgumentError):
        Vocabulary(["the"]).tokens(tf.constant([5]))


def test_an_empty_vocabulary_knows_nothing():
    assert Vocabulary([]).ids(tf.constant(["the"])).numpy().tolist() == [UNKNOWN]


@pytest.mark.parametrize(
    ("entries", "message"),
    [(["a", "b", "a"], "Entries 1 and 3 .* 'a'"), (["a", ""], "Entry 2 .* empty")],
)
def test_entries_that_make_no_vocabulary(entries: list[str], message: str):
    with pytest.raises(UserError, match=message):
        Vocabulary(entries)


def test_counts_are_ranked_by_count_then_code_point():
    counts = {"b": 2, "ä": 2, "a": 2, "c": 5, "rare": 1}
    assert Vocabulary.from_counts(counts).entries == ("c", "a", "b", "ä", "rare")
    assert Vocabulary.from_counts(dict(reversed(counts.items()))).entries == ("c", "a", "b", "ä", "rare")
    assert Vocabulary.from_counts(counts, minimum_count=2).entries == ("c", "a", "b", "ä")
    assert Vocabulary.from_counts(counts, size=6).entries == ("c", "a")


def test_a_size_without_room_for_words():
    with pytest.raises(UserError, match="size 4 has no room"):
        Vocabulary.from_counts({"a": 1}, size=4)


def test_the_fingerprint_is_the_files_and_tells_orders_apart(tmp_path: Path):  # C20
    vocabulary = Vocabulary(["a", "b"])
    vocabulary.save(tmp_path / "words")
    assert vocabulary.fingerprint == hashlib.sha256((tmp_path / "words").read_bytes()).hexdigest()
    assert vocabulary.fingerprint != Vocabulary(["b", "a"]).fingerprint


def test_the_file_is_one_readable_entry_a_line(tmp_path: Path):
    Vocabulary(["dog", "naïve", " ", "\u200b", "<unk>", "\\", "a\u00a0b"]).save(tmp_path / "words")
    expected = "dog\nnaïve\n\\u0020\n\\u200b\n\\<unk>\n\\\\\na\\u00a0b\n"
    assert (tmp_path / "words").read_bytes().decode() == expected


def test_the_file_does_not_depend_on_what_characters_python_knows(tmp_path: Path):
    """U+1FAE8 came with Unicode 15, which Python 3.11 does not know, U+50000 has not come yet."""
    entries = ["\U0001fae8", "\U00050000", "\U0001fae8\ufe0f"]
    Vocabulary(entries).save(tmp_path / "words")
    assert (tmp_path / "words").read_text(encoding="utf-8").splitlines() == entries
    assert Vocabulary.load(tmp_path / "words").entries == tuple(entries)
    escaped = (tmp_path / "escaped").write_bytes(b"\\U0001fae8\n\\U00050000\n\\U0001fae8\\ufe0f\n")
    assert escaped and Vocabulary.load(tmp_path / "escaped").entries == tuple(entries)


@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1), unique=True))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_entries_survive_the_file(tmp_path: Path, entries: list[str]):
    Vocabulary(entries).save(tmp_path / "words")
    assert Vocabulary.load(tmp_path / "words").entries == tuple(entries)


@pytest.mark.parametrize(
    "content",
    [
        b"the\ndog\n",
        b"the\ndog",
        b"\xef\xbb\xbfthe\ndog\n",  # C05
        b"the\r\ndog\r\n",  # C01
        b"<unk>\n<s>\n</s>\nthe\ndog\n",  # C15 (a): control symbols first, and (b): without them
        b"\xef\xbb\xbf<pad>\r\n<s>\r\n</s>\r\n<unk>\r\nthe\r\ndog\r\n",
    ],
)
def test_files_that_mean_the_same(tmp_path: Path, content: bytes):
    (tmp_path / "words").write_bytes(content)
    assert Vocabulary.load(tmp_path / "words").entries == ("the", "dog")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a\nb\nc\nd\n<unk>\n", "line 5: the control symbol <unk>"),  # C15 (c)
        ("a\nthe\nb\nthe\n", r"line 4: 'the' \(U\+0074 U\+0068 U\+0065\) is already on line 2"),  # C15 (d)
        ("<s>\n<s>\na\n", "line 2: '<s>' .* already on line 1"),
        ("a\n\\u0062\nb\n", "line 3: 'b' .* already on line 2"),
        ("a\nb\nc\nd\n\ne\n", "line 5: the line is blank"),  # C17
        ("a\nb\nc\nd\ne\n\u200b\n", r"line 6: the entry '\\u200b' .*U\+200B"),  # C17
        ("a\nb\n\n", "line 3: the line is blank"),  # C17
        ("a\n \t\n", r"line 2: the entry '\\u0020\\u0009' .*U\+0020 U\+0009"),
        ("the 17\n", r"line 1: the entry 'the\\u002017'"),
        ("a\rb\n", r"line 1: the entry 'a\\u000db'"),
    ],
)
def test_files_that_are_refused(tmp_path: Path, content: str, message: str):
    (tmp_path / "words").write_bytes(content.encode())
    with pytest.raises(UserError, match=message) as caught:
        Vocabulary.load(tmp_path / "words")
    assert str(tmp_path / "words") in str(caught.value)
