"""Orders in which to go through a corpus: pure functions of (seed, epoch) that need no memory."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import tensorflow as tf

from tfnmt.corpora.id_rows import Int64


class Order(ABC):
    """The pair numbers of an epoch, any stretch of which can be had without the ones before it."""

    @abstractmethod
    def numbers(self, epoch: int, size: int, start: int, stop: int) -> Int64:
        """Pair numbers at the places `start` to `stop` (not included) of an epoch, `[stop - start]`.

        Args:
            epoch: Which epoch.
            size: Pairs of the corpus. Over a whole epoch, 0 to size, each number occurs exactly once.
            start, stop: 0 <= start <= stop <= size.
        """

    def fingerprint(self, epoch: int) -> str:
        """Names the order of an epoch: the same for epochs of the same order."""
        return f"{type(self).__name__}()"


class ShuffledEachEpoch(Order):
    """Another pseudo-random permutation each epoch."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def numbers(self, epoch: int, size: int, start: int, stop: int) -> Int64:
        """See `Order.numbers`."""
        if start == stop:
            return np.zeros(0, np.int64)
        shuffled = tf.random.experimental.index_shuffle(
            tf.range(start, stop, dtype=tf.int64), seed=[self.seed, epoch], max_index=tf.constant(size - 1, tf.int64)
        )
        return shuffled.numpy()

    def fingerprint(self, epoch: int) -> str:
        """See `Order.fingerprint`."""
        return f"{type(self).__name__}({self.seed}, {epoch})"


class ShuffledOnce(ShuffledEachEpoch):
    """The same pseudo-random permutation each epoch: Bahdanau et al. 2015, appendix B.2, shuffle once."""

    def numbers(self, epoch: int, size: int, start: int, stop: int) -> Int64:
        """See `Order.numbers`."""
        return super().numbers(0, size, start, stop)

    def fingerprint(self, epoch: int) -> str:
        """See `Order.fingerprint`."""
        return super().fingerprint(0)


class InOrder(Order):
    """As the corpus stands, for validation."""

    def numbers(self, epoch: int, size: int, start: int, stop: int) -> Int64:
        """See `Order.numbers`."""
        return np.arange(start, stop, dtype=np.int64)
