"""Batches of pairs of similar length, as in Bahdanau et al. 2015, appendix B.2."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from tfnmt.corpora.encoded_corpus import EncodedCorpus
from tfnmt.corpora.id_rows import Int32, Int64
from tfnmt.corpora.order import InOrder, Order, ShuffledEachEpoch


class Batch(NamedTuple):
    """Pairs to be trained on at once.

    Attributes:
        source_ids: `[batch, source]` int32, padded with 0 on the right, no end symbol.
        target_ids: `[batch, target]` int32, alike.
        pair_numbers: `[batch]` int64, for `EncodedCorpus.where`.
    """

    source_ids: Int32
    target_ids: Int32
    pair_numbers: Int64

    @property
    def padding_share(self) -> float:
        """Share of the positions of both sides that hold padding, 0 to 1."""
        positions = self.source_ids.size + self.target_ids.size
        real = np.count_nonzero(self.source_ids) + np.count_nonzero(self.target_ids)
        return 1 - int(real) / positions


class Batches:
    """Cuts a corpus into batches: shuffled, then sorted by length within each stretch of `fetch` batches.

    As in Bahdanau et al. 2015, appendix B.2, 20 batches are fetched at once, sorted by the longer side of each pair
    (GroundHog's key, max(|x|, |y|)), split, and used in ascending length. Pairs alike in that are sorted by the target,
    then by the source, which the paper leaves open: less padding. Each pair occurs exactly once an epoch. An
    epoch's batches are a pure function of (corpus, arguments, epoch): a position in training is (epoch, batch).

    Args:
        corpus: What to cut.
        batch_size: Pairs of a batch; the last batches of an epoch may be smaller.
        batch_tokens: Instead of `batch_size`: the most positions of a batch, padding included, on either side
            (pairs x longest side, end symbols not counted); only a batch of a single pair may have more.
        fetch: Batches fetched at once. With `batch_tokens`, as many pairs as fill that many batches on average.
        seed: Of the shuffling, which differs from epoch to epoch.
        order: Another order than that: `ShuffledOnce(seed)` as the paper does it, `InOrder()` for validation (within
            a stretch it is still sorted by length; `pair_numbers` tell the pairs).
        ascending: Whether the batches of a stretch are used in ascending length, as the paper's code does, or shuffled:
            after many batches fetched at once, a network has last seen long sentences alone, and writes such.
    """

    def __init__(
        self,
        corpus: EncodedCorpus,
        batch_size: int | None = None,
        batch_tokens: int | None = None,
        fetch: int = 20,
        seed: int = 0,
        order: Order | None = None,
        ascending: bool = True,
    ) -> None:
        if (batch_size is None) == (batch_tokens is None):
            raise ValueError(f"Give batch_size or batch_tokens, one of the two; got {batch_size=}, {batch_tokens=}.")
        for name, value in (("batch_size", batch_size), ("batch_tokens", batch_tokens), ("fetch", fetch)):
            if value is not None and value < 1:
                raise ValueError(f"{name} must be at least 1; got {value}.")
        self.corpus = corpus
        self.order = order or ShuffledEachEpoch(seed)
        self._use: Order = InOrder() if ascending else ShuffledEachEpoch(seed)
        self._arguments = (
            f"batch_size={batch_size}, batch_tokens={batch_tokens}, fetch={fetch}, by longer, target, source"
        )
        self._cut: _Cut = _ByPairs(batch_size, fetch) if batch_size else _ByTokens(batch_tokens or 1, fetch, corpus)

    def epoch(self, number: int, start: int = 0) -> Iterator[Batch]:
        """The batches of an epoch from batch `start` on: exactly those that the whole epoch has there."""
        for stretch in self._stretches(number):
            count = self._count(stretch)
            if start < count:
                for numbers in self._split(stretch)[start:]:
                    yield Batch(self.corpus.source.padded(numbers), self.corpus.target.padded(numbers), numbers)
            start = max(start - count, 0)

    def count(self, epoch: int) -> int:
        """Batches of an epoch. With `batch_size` it is the same for all and known at once."""
        return sum(self._count(stretch) for stretch in self._stretches(epoch))

    def fingerprint(self, epoch: int) -> str:
        """Names the batches of an epoch: the same for epochs whose batches hold the same pairs of the same corpus."""
        return f"{self._arguments}, {self.order.fingerprint(epoch)}, used by stretch {self._use.fingerprint(epoch)}"

    def padding_share(self, epoch: int) -> float:
        """Share of the positions of an epoch's batches that hold padding, 0 to 1."""
        positions = 0
        for stretch in self._stretches(epoch):
            for numbers in self._split(stretch):
                for side in (self.corpus.source, self.corpus.target):
                    positions += len(numbers) * int(side.lengths(numbers).max())
        return 1 - (self.corpus.source.tokens + self.corpus.target.tokens) / positions

    def _stretches(self, epoch: int) -> Iterator[_Stretch]:
        size, step = len(self.corpus), self._cut.stretch
        return (_Stretch(epoch, start, min(start + step, size)) for start in range(0, size, step))

    def _count(self, stretch: _Stretch) -> int:
        known = self._cut.known_count(stretch.stop - stretch.start)
        return len(self._split(stretch)) if known is None else known

    def _split(self, stretch: _Stretch) -> list[Int64]:
        """The pair numbers of each batch of a stretch, in the order of their use."""
        numbers = self.order.numbers(stretch.epoch, len(self.corpus), stretch.start, stretch.stop)
        source, target = self.corpus.source.lengths(numbers), self.corpus.target.lengths(numbers)
        longer = np.maximum(source, target)
        ascending = np.lexsort((source, target, longer))  # stable: pairs of equal lengths stay shuffled
        batches = np.split(numbers[ascending], self._cut.ends(longer[ascending])[:-1])
        return [batches[place] for place in self._use.numbers(stretch.number, len(batches), 0, len(batches))]


class _Stretch(NamedTuple):
    """The places of an epoch's order that are fetched and sorted at once."""

    epoch: int
    start: int
    stop: int

    @property
    def number(self) -> int:
        """Tells it from the stretches of all epochs."""
        return (self.epoch * 1_000_003 + self.start) % 2**31


class _Cut(ABC):
    """Where a stretch of pairs is cut into batches.

    Attributes:
        stretch: Pairs fetched at once.
    """

    stretch: int

    @abstractmethod
    def ends(self, lengths: Int64) -> list[int]:
        """The end of each batch in a stretch whose pairs have these lengths, ascending `[pairs]`."""

    def known_count(self, pairs: int) -> int | None:
        """How many batches a stretch of so many pairs gives, if that does not depend on their lengths."""
        return None


class _ByPairs(_Cut):
    def __init__(self, batch_size: int, fetch: int) -> None:
        self.stretch = batch_size * fetch
        self._batch_size = batch_size

    def ends(self, lengths: Int64) -> list[int]:
        pairs = len(lengths)
        return [min(start + self._batch_size, pairs) for start in range(0, pairs, self._batch_size)]

    def known_count(self, pairs: int) -> int | None:
        return -(-pairs // self._batch_size)


class _ByTokens(_Cut):
    def __init__(self, batch_tokens: int, fetch: int, corpus: EncodedCorpus) -> None:
        mean_length = max(corpus.source.tokens, corpus.target.tokens) / max(len(corpus), 1)
        self.stretch = max(1, int(fetch * batch_tokens / max(mean_length, 1)))
        self._batch_tokens = batch_tokens

    def ends(self, lengths: Int64) -> list[int]:
        ends, start, pairs = [], 0, len(lengths)
        while start < pairs:
            # the batch start..end has (end - start) x lengths[end - 1] positions, which grows with end
            reach = lengths[start : start + max(1, self._batch_tokens // int(lengths[start]))]
            positions = np.arange(1, len(reach) + 1) * reach
            start += max(1, int(np.searchsorted(positions, self._batch_tokens, side="right")))
            ends.append(start)
        return ends
