"""What the checks keep, what they say about the rest, and that a second build costs nothing."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tfnmt.corpora.encoded_corpus import EncodedCorpus, LengthLimits
from tfnmt.corpora.parallel_text import ParallelText
from tfnmt.corpora.sentence_pairs import PairList, SentencePair, SentencePairs
from tfnmt.errors import UserError
from tfnmt.text.vocabulary import UNKNOWN, Vocabulary
from tfnmt.text.word import WordTokenizer


def tokenizer(words: str, **options: Any) -> WordTokenizer:
    made = WordTokenizer(**options)
    made.use(Vocabulary(words.split()))
    return made


ANY_LENGTH = LengthLimits()


def build(
    pairs: SentencePairs, directory: Path, limits: LengthLimits = ANY_LENGTH, words: str = "a b c d A B C D"
) -> EncodedCorpus:
    corpus, report = EncodedCorpus.build(pairs, tokenizer(words), tokenizer(words), limits, directory)
    assert report is corpus.report
    return corpus


def rows(corpus: EncodedCorpus) -> list[tuple[list[int], list[int]]]:
    return [
        (
            corpus.source.padded(np.array([number]))[0].tolist(),
            corpus.target.padded(np.array([number]))[0].tolist(),
        )
        for number in range(len(corpus))
    ]


def test_ids_are_those_of_the_tokenizers(tmp_path: Path) -> None:
    corpus = build(PairList([("a b", "C"), ("d x", "A A B")]), tmp_path)
    assert rows(corpus) == [([4, 5], [10]), ([7, UNKNOWN], [8, 8, 9])]
    np.testing.assert_array_equal(corpus.source.lengths(np.array([1, 0])), [2, 2])
    np.testing.assert_array_equal(corpus.target.lengths(np.array([1, 0])), [3, 1])
    np.testing.assert_array_equal(corpus.target.padded(np.array([0, 1, 0])), [[10, 0, 0], [8, 8, 9], [10, 0, 0]])
    assert (corpus.source.tokens, corpus.target.tokens) == (4, 4)


# C08
def test_blank_sides_drop_the_pair_and_are_counted(tmp_path: Path) -> None:
    pairs = PairList([("a", "A"), ("", "B"), ("c", " \u3000\u2028"), ("\t", ""), ("d", "D")])
    corpus = build(pairs, tmp_path)
    assert rows(corpus) == [([4], [8]), ([7], [11])]
    assert [corpus.where(0), corpus.where(1)] == ["pairs:1", "pairs:5"]
    report = corpus.report
    assert (report.read, report.kept) == (5, 2)
    assert {reason: (skipped.pairs, skipped.examples) for reason, skipped in report.skipped.items()} == {
        "blank source": (1, ["pairs:2"]),
        "blank target": (1, ["pairs:3"]),
        "blank source and target": (1, ["pairs:4"]),
    }


# C13
def test_over_long_pairs_are_counted_by_side_and_limit(tmp_path: Path) -> None:
    short, long = "a b c d a", "a b c d a b"
    corpus = build(PairList([(short, short)] * 4 + [(long, short)] * 5 + [(short, long)]), tmp_path, LengthLimits(5, 5))
    report = corpus.report
    assert (report.read, report.kept, len(corpus)) == (10, 4, 4)
    assert report.skipped["source longer than 5 tokens"].pairs == 5
    assert report.skipped["target longer than 5 tokens"].examples == ["pairs:10"]
    assert any("Only 4 of 10 pairs are kept" in warning and "5 tokens" in warning for warning in report.warnings())


def test_limits_of_the_two_sides_are_independent(tmp_path: Path) -> None:
    pairs = PairList([("a b c", "A"), ("a", "A B C")])
    assert build(pairs, tmp_path, LengthLimits(source=2)).where(0) == "pairs:2"
    assert build(pairs, tmp_path, LengthLimits(target=2)).where(0) == "pairs:1"


def test_no_pair_left_is_an_error_that_says_why(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="None of the 2 sentence pairs remains: 2 source longer than 1 tokens"):
        build(PairList([("a b", "A"), ("c d", "B")]), tmp_path, LengthLimits(1, 1))
    with pytest.raises(UserError, match="there was none"):
        build(PairList([]), tmp_path)
    assert not list(tmp_path.iterdir())


# C21
def test_mismatched_vocabulary_is_reported_before_training(tmp_path: Path) -> None:
    corpus = build(
        PairList([("The Dog The", "A A A A B"), ("The cat", "A x A A A")] * 3), tmp_path, words="the dog cat A B"
    )
    source, target = corpus.report.source, corpus.report.target
    assert source.unknown_rate == 0.8
    assert source.frequent_unknown == [("The", 9), ("Dog", 3)]
    assert (target.unknown_tokens, target.tokens, target.frequent_unknown) == (3, 30, [("x", 3)])
    (warning,) = corpus.report.warnings()
    assert warning.startswith("80% of the source tokens are unknown; the most frequent are 'The' (9), 'Dog' (3).")


def test_unknown_words_of_dropped_pairs_do_not_count(tmp_path: Path) -> None:
    report = build(PairList([("a", "A"), ("x x x", "A")]), tmp_path, LengthLimits(2, 2)).report
    assert (report.source.unknown_tokens, report.source.tokens, report.source.frequent_unknown) == (0, 1, [])


def test_where_names_the_right_one_of_joined_files(tmp_path: Path) -> None:
    for name, lines in (("one", ["a", "", "b"]), ("two", ["", "c", "d"])):
        for side in ("en", "de"):
            (tmp_path / f"{name}.{side}").write_text("\n".join(lines))
    sides = [[tmp_path / f"{name}.{side}" for name in ("one", "two")] for side in ("en", "de")]
    corpus = build(ParallelText(*sides), tmp_path / "cache")
    assert [corpus.where(number) for number in range(4)] == [
        f"{tmp_path}/{where}" for where in ("one.en:1", "one.en:3", "two.en:2", "two.en:3")
    ]


# C01, C05
@pytest.mark.parametrize(("mark", "end"), [(b"", b"\r\n"), (b"\xef\xbb\xbf", b"\n"), (b"\xef\xbb\xbf", b"\r\n")])
def test_line_ends_and_byte_order_marks_change_neither_vocabulary_nor_ids(
    tmp_path: Path, mark: bytes, end: bytes
) -> None:
    def learnt(mark: bytes, end: bytes, name: str) -> tuple[tuple[str, ...], list[tuple[list[int], list[int]]]]:
        folder = tmp_path / name
        folder.mkdir()
        for side in ("en", "de"):
            (folder / side).write_bytes(mark + end.join([b"one two", b"three", b"two one", b""]))
        pairs = ParallelText(folder / "en", folder / "de")
        words = WordTokenizer()
        words.learn(pairs.sources())
        corpus, _ = EncodedCorpus.build(pairs, words, words, LengthLimits(), folder)
        return words.vocabulary.entries, rows(corpus)

    assert learnt(mark, end, "other") == learnt(b"", b"\n", "plain")


# C04
def test_control_characters_are_reported(tmp_path: Path) -> None:
    for side in ("en", "de"):
        (tmp_path / side).write_bytes(b"a\na\x00b\x01\nc\n")
    report = build(ParallelText(tmp_path / "en", tmp_path / "de"), tmp_path / "cache").report
    assert (report.control_characters, report.control_character_examples) == (4, [f"{tmp_path}/en:2"])


class Watched(PairList):
    """Pairs that count how often they are gone through."""

    passes = 0

    def __iter__(self) -> Iterator[SentencePair]:
        self.passes += 1
        return super().__iter__()


def test_second_build_reads_nothing(tmp_path: Path) -> None:
    pairs = Watched([("a b", "C"), ("x", "D"), ("", "A")])
    first, second = build(pairs, tmp_path), build(pairs, tmp_path)
    assert pairs.passes == 1
    assert rows(first) == rows(second)
    assert first.report == second.report
    assert first.where(1) == second.where(1)


def test_whatever_the_ids_depend_on_makes_a_new_corpus(tmp_path: Path) -> None:
    pairs = PairList([("a b", "A"), ("A", "a b")])
    variants = [
        build(pairs, tmp_path),
        build(pairs, tmp_path, words="b a c d A B C D"),
        build(pairs, tmp_path, LengthLimits(source=1)),
        build(PairList([("a", "A"), ("A", "a b")]), tmp_path),
        EncodedCorpus.build(pairs, tokenizer("a b", lowercase=True), tokenizer("a b"), LengthLimits(), tmp_path)[0],
    ]
    seen = [str(rows(corpus)) for corpus in variants]
    assert len(set(seen)) == len(variants)
    assert len(list(tmp_path.iterdir())) == len(variants)


@pytest.mark.parametrize("name", ["source.ids", "source.ends", "target.ids", "lines", "corpus.json"])
def test_damaged_cache_is_built_anew(tmp_path: Path, name: str) -> None:
    pairs = PairList([("a b", "C"), ("d x", "A A B")])
    whole = rows(build(pairs, tmp_path))
    (damaged,) = tmp_path.glob(f"*/{name}")
    damaged.write_bytes(damaged.read_bytes()[:-4])
    assert rows(build(pairs, tmp_path)) == whole


def test_interrupted_build_leaves_nothing(tmp_path: Path) -> None:
    class Broken(PairList):
        def __iter__(self) -> Iterator[SentencePair]:
            yield from super().__iter__()
            raise UserError("line 3 is not valid UTF-8")

    with pytest.raises(UserError, match="line 3"):
        build(Broken([("a", "A"), ("b", "B")]), tmp_path)
    assert not list(tmp_path.iterdir())


def test_unwritable_directory_is_a_user_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="cannot be written to"):
        build(PairList([("a", "A")]), tmp_path / "file")


def test_chunks_join_without_a_seam(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tfnmt.corpora.encoded_corpus._CHUNK", 3)
    words = ["a", "b", "c", "d"]
    texts = [" ".join(words[: 1 + number % 4]) if number % 5 else "" for number in range(20)]
    corpus = build(PairList((text, text[::-1]) for text in texts), tmp_path)
    kept = [number for number, text in enumerate(texts) if text]
    assert [row[0] for row in rows(corpus)] == [
        [4 + words.index(word) for word in texts[number].split()] for number in kept
    ]
    assert [corpus.where(number) for number in range(len(corpus))] == [f"pairs:{number + 1}" for number in kept]


def test_what_a_killed_build_left_is_removed_but_not_a_build_in_progress(tmp_path: Path) -> None:
    for name, age in ((".building-killed", 7200), (".building-busy", 10)):
        (tmp_path / name).mkdir()
        file = tmp_path / name / "source.ids"
        file.write_bytes(b"1234")
        os.utime(file, (time.time() - age,) * 2)
    build(PairList([("a", "A")]), tmp_path)
    assert not (tmp_path / ".building-killed").exists()
    assert (tmp_path / ".building-busy").exists()


def test_dtype_policy_and_layer_name_do_not_matter(tmp_path: Path) -> None:
    pairs = Watched([("a b", "C")])
    for options in ({"name": "one"}, {"name": "two", "dtype": "mixed_bfloat16"}):
        EncodedCorpus.build(pairs, tokenizer("a b", **options), tokenizer("C"), LengthLimits(), tmp_path)
    assert pairs.passes == 1
