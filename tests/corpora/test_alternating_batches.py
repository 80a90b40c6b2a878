"""Tasks take turns, each as often as the others, and any place of any epoch can be entered."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tfnmt.corpora.alternating_batches import AlternatingBatches, TaskBatch
from tfnmt.corpora.batches import Batches
from tfnmt.corpora.encoded_corpus import EncodedCorpus, LengthLimits
from tfnmt.corpora.sentence_pairs import PairList
from tfnmt.text.vocabulary import Vocabulary
from tfnmt.text.word import WordTokenizer

SIZES = {"de": 23, "fr": 7, "cs": 2}


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> dict[str, EncodedCorpus]:
    """Three corpora of unlike sizes that share no sentence; the first word of a pair tells corpus and pair."""
    directory: Path = tmp_path_factory.mktemp("corpora")
    words = WordTokenizer()
    words.use(Vocabulary(f"{task}{number}" for task, size in SIZES.items() for number in range(size)))
    return {
        task: EncodedCorpus.build(
            PairList([(f"{task}{number} " * (1 + number % 5), f"{task}{number}") for number in range(size)], name=task),
            words, words, LengthLimits(), directory,
        )[0]
        for task, size in SIZES.items()
    }  # fmt: skip


def alternating(corpora: dict[str, EncodedCorpus], consecutive: int = 1, **options: int) -> AlternatingBatches:
    options = options or {"batch_size": 4}
    batches = {task: Batches(corpus, seed=3, fetch=2, **options) for task, corpus in corpora.items()}
    return AlternatingBatches(batches, consecutive)


def test_tasks_take_turns_and_get_the_same_number_of_batches(corpora: dict[str, EncodedCorpus]) -> None:
    batches = list(alternating(corpora).epoch(0))
    assert [batch.task for batch in batches] == ["de", "fr", "cs"] * 6  # 23 pairs are 6 batches of 4
    in_pairs = [batch.task for batch in alternating(corpora, consecutive=2).epoch(0)]
    assert in_pairs == ["de", "de", "fr", "fr", "cs", "cs"] * 3


def test_each_task_goes_through_its_own_corpus_again_and_again(corpora: dict[str, EncodedCorpus]) -> None:
    source = alternating(corpora)
    batches = [batch for epoch in range(2) for batch in source.epoch(epoch)]
    for task, size in SIZES.items():
        words = [int(word) for batch in batches if batch.task == task for word in batch.source_ids[:, 0]]
        for first in range(0, len(words) - size + 1, size):
            assert len(set(words[first : first + size])) == size


def test_a_pair_is_found_by_its_number(corpora: dict[str, EncodedCorpus]) -> None:
    source = alternating(corpora)
    for batch in source.epoch(0):
        entries = corpora[batch.task]
        assert {source.where(int(number)).partition(":")[0] for number in batch.pair_numbers} == {batch.task}
        assert len(batch.pair_numbers) <= len(entries)


@settings(deadline=None, max_examples=25)
@given(
    st.integers(1, 3),
    st.sampled_from([{"batch_size": 1}, {"batch_size": 4}, {"batch_tokens": 9}]),
    st.integers(0, 3),
    st.data(),
)
def test_it_can_be_entered_at_any_place(
    corpora: dict[str, EncodedCorpus], consecutive: int, options: dict[str, int], epoch: int, data: st.DataObject
) -> None:
    source = alternating(corpora, consecutive, **options)
    whole = list(source.epoch(epoch))
    assert len(whole) == source.count(epoch)
    start = data.draw(st.integers(0, len(whole)))
    rest = list(source.epoch(epoch, start))
    assert len(rest) == len(whole) - start
    for found, expected in zip(rest, whole[start:], strict=True):
        assert found.task == expected.task
        for one, other in zip(found[:3], expected[:3], strict=True):
            np.testing.assert_array_equal(one, other)


def test_one_task_alone_has_the_batches_of_its_corpus(corpora: dict[str, EncodedCorpus]) -> None:
    """With one language the multi-task schedule is the plain one (K13)."""
    plain = Batches(corpora["de"], batch_size=4, seed=3, fetch=2)
    alone = AlternatingBatches({"de": plain})
    for epoch in range(2):
        found: list[TaskBatch] = list(alone.epoch(epoch))
        for one, other in zip(found, plain.epoch(epoch), strict=True):
            np.testing.assert_array_equal(one.pair_numbers, other.pair_numbers)


def test_nothing_to_alternate_is_refused() -> None:
    with pytest.raises(ValueError, match="One task"):
        AlternatingBatches({})
