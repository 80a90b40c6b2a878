"""The only words that an output layer gives a probability, sentence by sentence (Jean et al. 2015, section 3.3)."""

from __future__ import annotations

from typing import Any, NamedTuple

import tensorflow as tf

from tfnmt.text.vocabulary import PAD

WHOLE_COLUMNS = 128
"""Logits of candidates have a multiple of so many columns, so that who looks for the best need not copy them."""


class Candidates(NamedTuple):
    """The candidate words of some sentences: the most frequent ones, which all share, and each sentence's own.

    A layer's logits then have one column for each shared word, in the order of their ids, one for each place of `ids`,
    and some that fill up a multiple of `WHOLE_COLUMNS`. Sentences of one batch do not influence each other: a column
    that holds no word has no probability.

    Attributes:
        common: shared words: the ids 0 to `common - 1`, the most frequent ones since a vocabulary is sorted.
        ids: int32 `[sentences, n]`, each sentence's own further words, distinct and at least `common`, 0 at padding.
        own: what an output layer reads of these words, `[sentences, n, ...]`; `()` until its `prepare` has made it.
    """

    common: int
    ids: tf.Tensor
    own: Any = ()

    @classmethod
    def of(cls, common: int, ids: tf.Tensor) -> Candidates:
        """Of any words `[sentences, n]`: repeated and shared ones are left out, and columns that nobody needs."""
        falling = tf.sort(ids, axis=1, direction="DESCENDING")
        repeated = falling == tf.pad(falling[:, :-1], [[0, 0], [1, 0]], constant_values=-1)
        own = tf.sort(tf.where(repeated | (falling < common), PAD, falling), axis=1, direction="DESCENDING")
        most = tf.reduce_max(tf.concat([[0], tf.math.count_nonzero(own, axis=1, dtype=tf.int32)], axis=0))
        return cls(common, own[:, :most])

    def words(self, columns: tf.Tensor) -> tf.Tensor:
        """The ids of columns of each sentence, int32 `[sentences, k]`; 0 for a column that holds no word."""
        own = tf.pad(self.ids, [[0, 0], [0, 1]], constant_values=PAD)  # one to look up where there is none
        places = tf.clip_by_value(columns - self.common, 0, tf.shape(self.ids)[1])
        return tf.where(columns < self.common, columns, tf.gather(own, places, batch_dims=1))
