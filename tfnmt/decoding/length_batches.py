"""Sentences of like length put together, so that little of a batch is padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np


def length_batches(lengths: Sequence[int], most_sentences: int, most_words: int) -> Iterator[np.ndarray]:
    """Cuts numbered sentences, sorted by length, into batches.

    Args:
        lengths: of each sentence, in words.
        most_sentences: in a batch.
        most_words: in a batch, padding counted; a sentence that is longer than this is a batch of its own.

    Yields:
        The numbers of the sentences of each batch, int64. Every number occurs once.
    """
    order = np.argsort(np.asarray(lengths, np.int64), kind="stable")
    start = 0
    for end in range(1, len(order) + 1):
        full = end - start == most_sentences
        if end == len(order) or full or (end + 1 - start) * lengths[order[end]] > most_words:
            yield order[start:end]
            start = end
