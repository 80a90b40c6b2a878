"""Where training stands, told to the sampling strategy of an output: a pure function of (epoch, batch).

So a run that is resumed samples what the run that never stopped would have.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch

import numpy as np

from tfnmt.corpora.batches import Batches
from tfnmt.corpora.encoded_corpus import EncodedCorpus
from tfnmt.corpora.vocabulary_parts import VocabularyParts
from tfnmt.layers.sampling import ImportanceSampling, PartitionSampling, Sampling, UnigramSampling
from tfnmt.text.vocabulary import END
from tfnmt.training.stream import TrainingBatch

_CHUNK = 65536  # pairs counted at once


@singledispatch
def follower(sampling: Sampling, batches: Batches, vocabulary_size: int) -> Callable[[TrainingBatch], None]:
    """What to call before each step (`Trainer(before_step=...)`) so that `sampling` knows the place in the corpus.

    Args:
        sampling: the strategy of a built `SampledSoftmaxOutput`.
        batches: the batches of the run.
        vocabulary_size: target words, control symbols included.

    Raises:
        TypeError: no such strategy is known.
    """
    raise TypeError(f"No way is known to tell {type(sampling).__name__} where training stands.")


@follower.register
def _(sampling: PartitionSampling, batches: Batches, vocabulary_size: int) -> Callable[[TrainingBatch], None]:
    parts, present = VocabularyParts(batches, sampling.size), None

    def follow(batch: TrainingBatch) -> None:
        nonlocal present
        part = parts.part(batch.epoch, batch.number)
        if present != (part.epoch, part.number):
            sampling.use(part.words)
            present = (part.epoch, part.number)

    return follow


@follower.register
def _(sampling: ImportanceSampling, batches: Batches, vocabulary_size: int) -> Callable[[TrainingBatch], None]:
    def follow(batch: TrainingBatch) -> None:
        sampling.use((batch.epoch << 48) + (batch.number << 16))  # a step may draw several samples

    return follow


@follower.register
def _(sampling: UnigramSampling, batches: Batches, vocabulary_size: int) -> Callable[[TrainingBatch], None]:
    sampling.count(word_counts(batches.corpus, vocabulary_size))
    return follower.dispatch(ImportanceSampling)(sampling, batches, vocabulary_size)


def word_counts(corpus: EncodedCorpus, vocabulary_size: int) -> np.ndarray:
    """How often each target word is a label in an epoch, int64 `[vocabulary]`; the end symbol once a sentence."""
    counts = np.zeros(vocabulary_size, np.int64)
    for start in range(0, len(corpus), _CHUNK):
        ids = corpus.target.padded(np.arange(start, min(start + _CHUNK, len(corpus))))
        counts += np.bincount(ids[ids > 0], minlength=vocabulary_size)
    counts[END] += len(corpus)
    return counts
