"""Every pair once an epoch, sorted by length in stretches, and any epoch can be entered anywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tfnmt.corpora.batches import Batch, Batches
from tfnmt.corpora.encoded_corpus import EncodedCorpus, LengthLimits
from tfnmt.corpora.order import InOrder, ShuffledEachEpoch, ShuffledOnce
from tfnmt.corpora.sentence_pairs import PairList
from tfnmt.text.vocabulary import Vocabulary
from tfnmt.text.word import WordTokenizer

Lengths = list[tuple[int, int]]


@pytest.fixture(scope="module")
def corpus_of(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Lengths], EncodedCorpus]]:
    """Makes a corpus whose pairs have the given lengths; a token's id tells the pair's number (from 4 on)."""
    directory = tmp_path_factory.mktemp("corpora")
    words = WordTokenizer()
    words.use(Vocabulary(f"w{number}" for number in range(2000)))

    def make(lengths: Lengths) -> EncodedCorpus:
        pairs = [(f"w{number} " * source, f"w{number} " * target) for number, (source, target) in enumerate(lengths)]
        return EncodedCorpus.build(PairList(pairs), words, words, LengthLimits(), directory)[0]

    yield make


LENGTHS = [(1 + number * 7 % 11, 1 + number * 5 % 13) for number in range(1000)]


def equal(left: list[Batch], right: list[Batch]) -> bool:
    return len(left) == len(right) and all(
        np.array_equal(one, other) for pair in zip(left, right, strict=True) for one, other in zip(*pair, strict=True)
    )


LIMITS = st.one_of(
    st.fixed_dictionaries({"batch_size": st.integers(1, 9)}),
    st.fixed_dictionaries({"batch_tokens": st.integers(1, 60)}),
)


@settings(deadline=None)  # the first example also warms TensorFlow up
@given(
    st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), min_size=1, max_size=60),
    LIMITS,
    st.integers(1, 5),
    st.sampled_from([ShuffledEachEpoch(1), ShuffledOnce(1), InOrder()]),
    st.booleans(),
    st.integers(0, 3),
    st.data(),
)
def test_any_batching(
    corpus_of: Callable[[Lengths], EncodedCorpus],
    lengths: Lengths,
    limit: dict[str, int],
    fetch: int,
    order: Any,
    ascending: bool,
    epoch: int,
    data: st.DataObject,
) -> None:
    batches = Batches(corpus_of(lengths), **limit, fetch=fetch, order=order, ascending=ascending)
    whole = list(batches.epoch(epoch))

    seen = [int(number) for batch in whole for number in batch.pair_numbers]
    assert sorted(seen) == list(range(len(lengths)))
    assert batches.count(epoch) == len(whole)
    for batch in whole:
        assert batch.source_ids.dtype == batch.target_ids.dtype == np.int32
        for side, ids in enumerate((batch.source_ids, batch.target_ids)):
            expected = [[4 + number] * lengths[number][side] for number in batch.pair_numbers]
            longest = max(map(len, expected))
            assert ids.tolist() == [row + [0] * (longest - len(row)) for row in expected]
        size, positions = len(batch.pair_numbers), max(batch.source_ids.size, batch.target_ids.size)
        assert size <= limit.get("batch_size", size)
        assert size == 1 or positions <= limit.get("batch_tokens", positions)

    start = data.draw(st.integers(0, len(whole) + 2))
    assert equal(list(batches.epoch(epoch, start)), whole[start:])


# appendix B.2: 20 batches at once, sorted by the longer side, split, used in ascending length
def test_stretches_are_sorted_by_the_longer_side_then_by_target_and_source(
    corpus_of: Callable[[Lengths], EncodedCorpus],
) -> None:
    batches = list(Batches(corpus_of(LENGTHS), batch_size=10, fetch=20, seed=1).epoch(0))
    order = ShuffledEachEpoch(1).numbers(0, 1000, 0, 1000)
    for stretch in range(5):
        numbers = np.concatenate([batch.pair_numbers for batch in batches[20 * stretch : 20 * (stretch + 1)]])
        assert set(numbers.tolist()) == set(order[200 * stretch : 200 * (stretch + 1)].tolist())
        keys = [(max(source, target), target, source) for source, target in (LENGTHS[number] for number in numbers)]
        assert keys == sorted(keys)


# C23
def test_shuffling_mixes_the_corpus_and_differs_by_epoch_and_seed(
    corpus_of: Callable[[Lengths], EncodedCorpus],
) -> None:
    corpus = corpus_of(LENGTHS)

    def numbers(seed: int, epoch: int) -> list[int]:
        return [int(number) for batch in Batches(corpus, 10, seed=seed).epoch(epoch) for number in batch.pair_numbers]

    first = numbers(1, 0)
    assert first == numbers(1, 0)
    assert len({tuple(first), tuple(numbers(1, 1)), tuple(numbers(2, 0))}) == 3
    hundreds = {number // 100 for number in first[:100]}  # the first ten batches
    assert hundreds == set(range(10))


def test_in_order_fetches_one_stretch_after_the_other(corpus_of: Callable[[Lengths], EncodedCorpus]) -> None:
    for number, batch in enumerate(Batches(corpus_of(LENGTHS), 7, fetch=1, order=InOrder()).epoch(0)):
        assert sorted(batch.pair_numbers) == list(range(7 * number, min(7 * (number + 1), 1000)))


def test_token_batches_are_filled(corpus_of: Callable[[Lengths], EncodedCorpus]) -> None:
    batches = list(Batches(corpus_of(LENGTHS), batch_tokens=200).epoch(0))
    filled = [max(batch.source_ids.size, batch.target_ids.size) for batch in batches]
    assert max(filled) <= 200
    assert np.mean(filled) > 170


def test_padding_share_by_hand(corpus_of: Callable[[Lengths], EncodedCorpus]) -> None:
    batches = Batches(corpus_of([(1, 2), (3, 2), (4, 4)]), 2, order=InOrder())
    shares = [batch.padding_share for batch in batches.epoch(0)]
    assert shares == [pytest.approx(2 / 10), 0.0]  # sources 1 and 3 of 2 x 3, targets 2 and 2 of 2 x 2
    assert batches.padding_share(0) == pytest.approx(2 / 18)


def test_batches_of_a_stretch_are_used_in_another_order_each_epoch(
    corpus_of: Callable[[Lengths], EncodedCorpus],
) -> None:
    def batches(epoch: int, ascending: bool) -> list[tuple[int, ...]]:
        cut = Batches(corpus_of(LENGTHS), 10, order=ShuffledOnce(1), ascending=ascending)
        return [tuple(batch.pair_numbers.tolist()) for batch in cut.epoch(epoch)]

    sorted_up, first, second = batches(0, True), batches(0, False), batches(1, False)
    assert sorted(first) == sorted(second) == sorted(sorted_up)  # the same batches
    assert len({tuple(sorted_up), tuple(first), tuple(second)}) == 3
    for stretch in range(0, len(sorted_up), 20):
        assert set(first[stretch : stretch + 20]) == set(sorted_up[stretch : stretch + 20])
    # and in another order in each stretch: by length, the first batch is not of the same rank everywhere
    ranks = [[sorted_up.index(batch) - start for batch in first[start : start + 20]] for start in range(0, 100, 20)]
    assert len(set(map(tuple, ranks))) == 5


def test_shuffled_batches_are_named_by_their_epoch(corpus_of: Callable[[Lengths], EncodedCorpus]) -> None:
    ascending, shuffled = (Batches(corpus_of(LENGTHS), 10, order=ShuffledOnce(1), ascending=up) for up in (True, False))
    assert ascending.fingerprint(0) == ascending.fingerprint(1)
    assert len({ascending.fingerprint(0), shuffled.fingerprint(0), shuffled.fingerprint(1)}) == 3


def test_pairs_of_the_same_lengths_stay_shuffled(corpus_of: Callable[[Lengths], EncodedCorpus]) -> None:
    (batch,) = Batches(corpus_of([(3, 2)] * 50), 50, seed=1).epoch(0)
    assert batch.pair_numbers.tolist() == ShuffledEachEpoch(1).numbers(0, 50, 0, 50).tolist() != list(range(50))


def test_sorting_saves_padding(corpus_of: Callable[[Lengths], EncodedCorpus]) -> None:
    corpus = corpus_of(LENGTHS)
    assert Batches(corpus, 10, fetch=20).padding_share(0) < 0.7 * Batches(corpus, 10, fetch=1).padding_share(0)


@pytest.mark.parametrize(
    "arguments",
    [{}, {"batch_size": 2, "batch_tokens": 3}, {"batch_size": 0}, {"batch_tokens": -1}, {"batch_size": 2, "fetch": 0}],
)
def test_impossible_arguments_are_refused(
    corpus_of: Callable[[Lengths], EncodedCorpus], arguments: dict[str, int]
) -> None:
    with pytest.raises(ValueError, match=r"batch_size|batch_tokens|fetch"):
        Batches(corpus_of([(1, 1)]), **arguments)
