"""Pairs of prefixes: of the policy's own beam, the better one first, the same whenever a run resumes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tests.models.networks import SOURCE_VOCABULARY, searching
from tests.twins import END
from tfnmt.corpora.batches import Batch
from tfnmt.decoding.beam_search import BeamSearch
from tfnmt.evaluation.sentence_bleu import sentence_bleu
from tfnmt.training.prefix_pairs import PrefixPairs

POLICY = searching()
LEAST = 0.8  # words a source word: this policy would end at once
SEARCH = BeamSearch(maximum_length_factor=1.0, maximum_length_constant=2, minimum_length_factor=LEAST)


class Sentences:
    """Two batches an epoch of random ids; the first words of a source are its reference."""

    def epoch(self, number: int, start: int = 0) -> Iterator[Batch]:
        for place in range(start, 2):
            random = np.random.default_rng([number, place])
            ids = random.integers(4, 11, [6, 5]).astype(np.int32)
            ids[0, 3:] = 0
            yield Batch(ids % SOURCE_VOCABULARY, ids[:, :4], np.arange(6) + 6 * place)

    def count(self, epoch: int) -> int:
        return 2


@pytest.fixture(scope="module")
def pairs() -> PrefixPairs:
    batches: Any = Sentences()
    return PrefixPairs(POLICY, batches, SEARCH, beam_size=3, completions=3, seed=5)


def halves(batch: Batch) -> tuple[list[list[int]], list[list[int]]]:
    better, worse = np.split(batch.target_ids, 2, axis=1)
    return ([row[row != 0].tolist() for row in better], [row[row != 0].tolist() for row in worse])


def test_prefixes_begin_hypotheses_of_the_policy_s_beam(pairs: PrefixPairs) -> None:
    for batch in pairs.epoch(0):
        found = SEARCH(POLICY, tf.constant(batch.source_ids), 3, 3)
        for row, both in enumerate(zip(*halves(batch), strict=True)):
            ids, lengths = found.ids[row].numpy(), found.lengths[row].numpy()
            known = [[*words[:length].tolist(), END] for words, length in zip(ids, lengths, strict=True)]
            for prefix in both:
                assert prefix and any(words[: len(prefix)] == prefix for words in known)


def test_the_better_prefix_comes_first(pairs: PrefixPairs) -> None:
    """The mean BLEU of its completions, found here by searching everything that begins so."""
    compared = 0
    references = {int(n): ids for batch in Sentences().epoch(0) for n, ids in zip(batch[2], batch[1], strict=True)}
    for batch in pairs.epoch(0):
        for row, both in enumerate(zip(*halves(batch), strict=True)):
            reference = references[int(batch.pair_numbers[row])]
            values = [value_of(batch.source_ids[row], prefix, reference[reference != 0]) for prefix in both]
            assert values[0] > values[1]
            compared += 1
    assert compared >= 4


def value_of(source: np.ndarray, prefix: list[int], reference: np.ndarray) -> float:
    """Beam search by hand from the prefix on, one sentence, three places."""
    memory = POLICY.encode(source[np.newaxis])
    state = POLICY.decoder.initial_state(memory)
    live: list[tuple[float, list[int], Any]] = [(0.0, [], state)]
    finished: list[tuple[float, list[int]]] = []
    words_of_source = int(np.count_nonzero(source))
    longest, least = words_of_source + 2, int(LEAST * words_of_source)
    for length in range(longest + 1):
        grown = []
        for score, words, state in live:
            last = words[-1] if words else 1
            features, after, _ = POLICY.decoder.step(tf.constant([last]), state, memory)
            logs = tf.nn.log_softmax(POLICY.output_layer.logits(features))[0].numpy()
            never = (0, 1) if length >= least else (0, 1, END)
            choices = [prefix[length]] if length < len(prefix) else [w for w in range(len(logs)) if w not in never]
            grown += [(score + float(logs[word]), [*words, word], after) for word in choices]
        grown.sort(key=lambda entry: -entry[0])
        grown = grown[: 3 - len(finished)]
        finished += [(score / len(words), words) for score, words, _ in grown if words[-1] == END]
        cut = [words for _, words, _ in live]  # at the limit, where nothing has ended
        live = [] if length == longest else [entry for entry in grown if entry[1][-1] != END]
        if not live:
            break
    ends = [words[:-1] for _, words in finished] or cut
    return float(np.mean([sentence_bleu([-1 if w == 3 else w for w in words], reference.tolist()) for words in ends]))


def test_a_run_resumes_with_the_pairs_it_would_have_had(pairs: PrefixPairs) -> None:
    whole = list(pairs.epoch(1))
    assert len(whole) == pairs.count(1) == 2
    (resumed,) = pairs.epoch(1, start=1)
    for one, other in zip(resumed, whole[1], strict=True):
        np.testing.assert_array_equal(one, other)
    again = next(pairs.epoch(0))
    assert again.target_ids.shape != whole[0].target_ids.shape or np.any(again.target_ids != whole[0].target_ids)
