"""The words around a word, for rules that look further than one word."""

from __future__ import annotations

import tensorflow as tf


def neighbours(tokens: tf.RaggedTensor, distance: int) -> tf.Tensor:
    """The token that stands `distance` places after each token in its row; before it, if negative.

    Args:
        tokens: [batch, (tokens)] strings.
        distance: a number of tokens.

    Returns:
        [all tokens] strings, in the order of `tokens.flat_values`; "" where the row ends first.
    """
    rows = tokens.value_rowids()
    places = tf.range(tf.size(rows)) + distance
    inside = (places >= 0) & (places < tf.size(rows))
    same_row = inside & (rows == tf.roll(rows, -distance, axis=0))
    return tf.where(same_row, tf.roll(tokens.flat_values, -distance, axis=0), "")
