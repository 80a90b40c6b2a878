"""Two beginnings of one sentence's translation, and which of them leads to the better end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import tensorflow as tf

from tfnmt.corpora.batches import Batch, Batches
from tfnmt.corpora.id_rows import Int32
from tfnmt.decoding.beam_search import BeamSearch
from tfnmt.decoding.hypotheses import Hypotheses
from tfnmt.decoding.steering import ForcedPrefix
from tfnmt.evaluation.sentence_bleu import sentence_bleu
from tfnmt.text.vocabulary import END, UNKNOWN
from tfnmt.training.step import ROWS_OF_IDS

Row = list[int]


class PrefixPairs:
    """Batches for a value network, made by the policy that it is to judge (He et al. 2017, algorithm 1).

    For each source sentence two prefixes are drawn: two hypotheses of the policy's own beam, each cut at a random place
    (a whole hypothesis has the end symbol as its last word). The policy completes each by beam search, and the prefix
    whose completions have the higher mean BLEU against the reference is the better one. Sentences whose prefixes tie
    are left out.

    What is drawn is a pure function of the seed, the epoch and the place of the batch, so that a run resumes in
    mid-epoch as one over a corpus does.

    Args:
        policy: the trained network.
        batches: the sentences and their references.
        search: finds the hypotheses and their completions.
        beam_size: hypotheses of each sentence that prefixes are drawn from.
        completions: K, how many ends of a prefix are weighed.
        seed: of the drawing.
    """

    def __init__(
        self,
        policy: Any,
        batches: Batches,
        search: BeamSearch,
        beam_size: int = 5,
        completions: int = 5,
        seed: int = 0,
    ) -> None:
        self.batches = batches
        self.seed = seed
        self._hypotheses = tf.function(
            lambda source_ids: search(policy, source_ids, beam_size, beam_size),
            input_signature=[ROWS_OF_IDS],
            autograph=False,
        )
        self._completions = tf.function(
            lambda source_ids, prefix_ids: search(
                policy, source_ids, completions, completions, steering=(ForcedPrefix(prefix_ids),)
            ),
            input_signature=[ROWS_OF_IDS, ROWS_OF_IDS],
            autograph=False,
        )

    def count(self, epoch: int) -> int:
        """Batches of an epoch, those of its sentences."""
        return self.batches.count(epoch)

    def epoch(self, number: int, start: int = 0) -> Iterator[Batch]:
        """The batches of an epoch from batch `start` on: sources, and both prefixes of each as
        `ValueNetwork.token_losses` wants them.
        """
        for place, batch in enumerate(self.batches.epoch(number, start), start):
            yield self._judged(batch, np.random.default_rng([self.seed, number, place]))

    def _judged(self, batch: Batch, random: np.random.Generator) -> Batch:
        found = _rows(self._hypotheses(batch.source_ids))
        drawn = [(_prefix(hypotheses, random), _prefix(hypotheses, random)) for hypotheses in found]
        prefixes = [prefix for pair in drawn for prefix in pair]
        ends = _rows(self._completions(np.repeat(batch.source_ids, 2, axis=0), _padded(prefixes)))
        references = np.repeat(np.arange(len(batch.target_ids)), 2)
        values = [
            np.mean([_bleu(end, batch.target_ids[reference]) for end in completions])
            for completions, reference in zip(ends, references, strict=True)
        ]
        ordered = [
            (pair if first > second else pair[::-1])
            for pair, first, second in zip(drawn, values[::2], values[1::2], strict=True)
        ]
        kept = np.flatnonzero(np.not_equal(values[::2], values[1::2]))
        width = max((len(prefix) for prefix in prefixes), default=0)
        sides = [_padded([ordered[row][side] for row in kept], width) for side in (0, 1)]
        return Batch(batch.source_ids[kept], np.concatenate(sides, axis=1), batch.pair_numbers[kept])


def _rows(found: Hypotheses) -> list[list[Row]]:
    """The hypotheses of each sentence as ids, a finished one with its end symbol."""
    ids, lengths, scores, finished = (part.numpy() for part in (found.ids, found.lengths, found.scores, found.finished))
    return [
        [
            [*ids[sentence, n, : lengths[sentence, n]].tolist(), *([END] if finished[sentence, n] else [])]
            for n in np.flatnonzero(np.isfinite(scores[sentence]))
        ]
        for sentence in range(len(ids))
    ]


def _prefix(hypotheses: list[Row], random: np.random.Generator) -> Row:
    """One of the hypotheses up to a random place."""
    words = hypotheses[random.integers(len(hypotheses))]
    return words[: random.integers(1, len(words) + 1)] if words else words


def _padded(rows: list[Row], width: int | None = None) -> Int32:
    width = max(map(len, rows), default=0) if width is None else width
    ids = np.zeros([len(rows), width], np.int32)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = row
    return ids


def _bleu(hypothesis: Row, reference: Int32) -> float:
    """An unknown word is never right."""
    words = [-1 if word == UNKNOWN else word for word in hypothesis if word != END]
    return sentence_bleu(words, reference[reference != 0].tolist())
