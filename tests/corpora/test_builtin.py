"""The built-in corpus is large, the same everywhere, unambiguous, and asks for copying."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from tfnmt.corpora import builtin
from tfnmt.corpora.phrasebook.names import NAMES
from tfnmt.errors import UserError


def words(sentence: str) -> list[str]:
    return [word.strip(",.?").removesuffix("'s") for word in sentence.split()]


def test_splits_are_distinct_and_disjoint() -> None:
    sources = {split: [pair.source for pair in builtin.pairs(split)] for split in ("train", "valid", "test")}
    assert {split: len(lines) for split, lines in sources.items()} == {"train": 24_000, "valid": 1_000, "test": 1_000}
    assert len(set().union(*sources.values())) == 26_000
    # the target sides belong to the same sentences whatever the language
    assert [pair.source for pair in builtin.pairs("test", "fr")] == sources["test"]


def test_corpus_is_the_same_on_every_machine() -> None:
    digest = hashlib.sha256()
    for language in ("de", "fr"):
        for pair in builtin.pairs("test", language):
            digest.update(f"{pair.source}\t{pair.target}\n".encode())
    assert digest.hexdigest()[:16] == "5f1bbf8d77bff51c"
    assert builtin.pairs("test").fingerprint == builtin.pairs("test", "de").fingerprint
    assert builtin.pairs("test").fingerprint != builtin.pairs("test", "fr").fingerprint


@pytest.mark.parametrize("language", ["de", "fr"])
def test_words_are_few_and_known_but_for_the_names(language: str) -> None:
    names = set(NAMES)
    train = list(builtin.pairs("train", language))
    test = list(builtin.pairs("test", language))
    for side in (1, 0):
        known = Counter(word for pair in train for word in words(pair[side]))
        assert len(set(known) - names) < 1_500
        fresh = {word for pair in test for word in words(pair[side])} - set(known)
        assert len(fresh & names) >= 20  # only copying can translate these
        assert len(fresh - names) <= 10


def test_lengths_and_share_of_names() -> None:
    train = list(builtin.pairs("train"))
    lengths = sorted(len(pair.source.split()) for pair in train)
    assert 9 <= sum(lengths) / len(lengths) <= 12
    assert lengths[-100] >= 30  # long sentences occur
    named = sum(not set(NAMES).isdisjoint(words(pair.source)) for pair in train)
    assert 0.05 <= named / len(train) <= 0.08


def test_names_are_copied() -> None:
    for language in ("de", "fr"):
        for pair in builtin.pairs("test", language):
            assert set(NAMES).intersection(words(pair.source)) == set(NAMES).intersection(words(pair.target))


def test_pairs_are_text_of_one_line() -> None:
    for language in ("de", "fr"):
        for pair in builtin.pairs("test", language):
            for sentence in (pair.source, pair.target):
                assert sentence == " ".join(sentence.split())
                assert sentence[0].isupper()
                assert sentence[-1] in ".?"


def test_unknown_split_or_language_names_the_nearest() -> None:
    with pytest.raises(UserError, match="Did you mean 'train'"):
        builtin.pairs("trian")
    with pytest.raises(UserError, match=r"no target language 'it'.*Known: de, fr"):
        builtin.pairs("test", "it")
