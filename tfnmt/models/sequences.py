"""Rows of ids with and without the symbols that mark start and end."""

from __future__ import annotations

import tensorflow as tf

from tfnmt.text.vocabulary import END, PAD, START


def count_words(ids: tf.Tensor) -> tf.Tensor:
    """Real ids in each row: int32 `[batch, time]`, padded with 0 on the right -> int32 `[batch]`."""
    return tf.reduce_sum(tf.cast(tf.not_equal(ids, PAD), tf.int32), axis=-1)


def append_end(ids: tf.Tensor) -> tf.Tensor:
    """Puts the end symbol right after each row's last word: `[batch, time] -> [batch, time + 1]`."""
    padded = tf.pad(ids, [[0, 0], [0, 1]], constant_values=PAD)
    ends = tf.one_hot(count_words(ids), tf.shape(padded)[1], on_value=END, off_value=PAD, dtype=ids.dtype)
    return padded + ends


def with_room(ids: tf.Tensor) -> tf.Tensor:
    """The same rows, of one position (padding) if they had none: `[batch, time] -> [batch, max(time, 1)]`."""
    missing = tf.maximum(1 - tf.shape(ids)[1], 0)
    return tf.pad(ids, [[0, 0], [0, missing]], constant_values=PAD)


def prepend_start(ids: tf.Tensor) -> tf.Tensor:
    """Puts the start symbol before each row: `[batch, time] -> [batch, time + 1]`."""
    return tf.pad(ids, [[0, 0], [1, 0]], constant_values=START)
