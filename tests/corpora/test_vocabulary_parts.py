"""Parts of a corpus with few target words each (identity K4)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tfnmt.corpora import vocabulary_parts
from tfnmt.corpora.batches import Batches
from tfnmt.corpora.encoded_corpus import EncodedCorpus, LengthLimits
from tfnmt.corpora.order import ShuffledEachEpoch, ShuffledOnce
from tfnmt.corpora.sentence_pairs import PairList
from tfnmt.corpora.vocabulary_parts import VocabularyParts
from tfnmt.text.vocabulary import Vocabulary
from tfnmt.text.word import WordTokenizer


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> EncodedCorpus:
    """Words by Zipf's law, many of them in one sentence only."""
    random = np.random.default_rng(4)
    words = WordTokenizer()
    words.use(Vocabulary(f"w{number}" for number in range(400)))
    sentences = [
        " ".join(f"w{min(int(rank), 399)}" for rank in random.zipf(1.3, length))
        for length in random.integers(1, 9, 300)
    ]
    pairs = PairList([(sentence, sentence) for sentence in sentences])
    return EncodedCorpus.build(pairs, words, words, LengthLimits(), tmp_path_factory.mktemp("corpora"))[0]


def test_every_sentence_is_in_its_part_and_parts_are_small(corpus: EncodedCorpus) -> None:  # K4
    batches = Batches(corpus, batch_size=5, fetch=4, order=ShuffledOnce(1))
    parts, union, sizes = VocabularyParts(batches, 60), set(), {}
    for number, batch in enumerate(batches.epoch(0)):
        part = parts.part(0, number)
        words = set(np.unique(batch.target_ids[batch.target_ids > 0]).tolist())
        assert words <= set(part.words.tolist())
        union |= words
        sizes[part.number] = len(part.words)
        assert np.all(np.diff(part.words) > 0)
    assert list(sizes) == list(range(parts.count(0)))
    assert len(sizes) > 3
    assert max(sizes.values()) <= 60
    assert union == {int(word) for number in sizes for word in parts._of(0).words}


def test_a_part_begins_only_where_the_last_is_full(corpus: EncodedCorpus) -> None:
    batches = Batches(corpus, batch_size=5, order=ShuffledOnce(1))
    parts = VocabularyParts(batches, 60)
    seen: dict[int, set[int]] = {}
    for number, batch in enumerate(batches.epoch(0)):
        part, words = parts.part(0, number).number, set(batch.target_ids[batch.target_ids > 0].tolist())
        if part and part not in seen:
            assert len(seen[part - 1] | words) > 60
        seen.setdefault(part, set()).update(words)


@pytest.mark.parametrize("size", [1, 7, 60, 1000])
def test_the_parts_are_those_of_a_plain_walk_with_sets(corpus: EncodedCorpus, size: int) -> None:
    batches = Batches(corpus, batch_size=5, order=ShuffledOnce(3))
    expected: list[tuple[int, set[int]]] = []
    for number, batch in enumerate(batches.epoch(0)):
        words = {int(word) for word in batch.target_ids.ravel() if word}
        if expected and (len(expected[-1][1] | words) <= size or not expected[-1][1]):
            expected[-1][1].update(words)
        else:
            expected.append((number, words))
    found = VocabularyParts(batches, size)._of(0)
    assert found.first_batches.tolist() == [first for first, _ in expected]
    for (_, words), start, end in zip(expected, found.ends, found.ends[1:], strict=False):
        assert found.words[start:end].tolist() == sorted(words)


def test_parts_that_cannot_be_kept_are_cut_again(corpus: EncodedCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError("No space left on device")

    batches = Batches(corpus, batch_size=5, order=ShuffledOnce(9))
    monkeypatch.setattr(np, "savez", full)
    before = sorted(Path(corpus.directory).iterdir())
    assert VocabularyParts(batches, 60).part(0, 0).number == 0
    assert sorted(Path(corpus.directory).iterdir()) == before


def test_only_one_batch_alone_exceeds_the_size(corpus: EncodedCorpus) -> None:
    batches = Batches(corpus, batch_size=20, order=ShuffledOnce(1))
    parts = VocabularyParts(batches, 3)
    assert parts.count(0) == batches.count(0)
    with pytest.raises(ValueError, match="at least 1 word"):
        VocabularyParts(batches, 0)


def test_parts_are_computed_once_for_an_order_and_again_for_another(
    corpus: EncodedCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut, original = [], vocabulary_parts._cut
    monkeypatch.setattr(vocabulary_parts, "_cut", lambda *arguments: (cut.append(1), original(*arguments))[1])
    once = Batches(corpus, batch_size=7, order=ShuffledOnce(1))
    VocabularyParts(once, 50).part(0, 0)
    last = VocabularyParts(once, 50).part(5, once.count(5) - 1)
    assert len(cut) == 1
    assert last.epoch == 5
    anew = VocabularyParts(Batches(corpus, batch_size=7, order=ShuffledEachEpoch(1)), 50)
    first, second = anew.part(0, 3).words, anew.part(1, 3).words
    assert len(cut) == 3
    assert not np.array_equal(first, second)
    VocabularyParts(once, 40).part(0, 0)
    VocabularyParts(Batches(corpus, batch_size=8, order=ShuffledOnce(1)), 50).part(0, 0)
    assert len(cut) == 5


def test_a_damaged_file_is_written_anew(corpus: EncodedCorpus) -> None:
    batches = Batches(corpus, batch_size=6, order=ShuffledOnce(2))
    expected = VocabularyParts(batches, 50).part(0, 4).words
    for file in Path(corpus.directory).glob("parts-*.npz"):
        file.write_bytes(file.read_bytes()[:40])
    np.testing.assert_array_equal(VocabularyParts(batches, 50).part(0, 4).words, expected)
