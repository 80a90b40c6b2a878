"""Which source words a target word was translated from, by the attention weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import tensorflow as tf


@dataclass(frozen=True)
class Alignment:
    """The soft alignment of one sentence pair, words by words.

    Attributes:
        source_tokens: the source words.
        target_tokens: the target words.
        weights: float32 `[target, source]`, the attention weights. What a row lacks to 1 lies at the end of the source;
            weights of local-p need not sum to 1, and a row is all 0 without attention.
    """

    source_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...]
    weights: np.ndarray

    def __post_init__(self) -> None:
        expected = (len(self.target_tokens), len(self.source_tokens))
        if self.weights.shape != expected:
            raise ValueError(f"Weights of {expected} target and source words expected, not {self.weights.shape}.")


def word_weights(step_weights: tf.Tensor, source_words: tf.Tensor, alignment_shift: int) -> tf.Tensor:
    """The weights that align each target word.

    Args:
        step_weights: float32 `[batch, n, target + 1, source]`, the weights of each decoding step; one step more than
            words, for the end symbol.
        source_words: int32 `[batch]`, words of each source sentence.
        alignment_shift: 0 if a step's weights align the word it predicts; 1 if they align the word it reads, so that
            word i takes those of step i + 1 (Luong et al. 2015, footnote 14).

    Returns:
        float32 `[batch, n, target, words]`, 0 beyond each sentence's own words: the end of the source is no word.
    """
    words = tf.reduce_max(tf.concat([[0], source_words], axis=0))
    target = tf.shape(step_weights)[2] - 1
    aligned = step_weights[:, :, alignment_shift : target + alignment_shift, :words]
    return aligned * tf.sequence_mask(source_words, words, dtype=tf.float32)[:, tf.newaxis, tf.newaxis]


def strongest_words(weights: tf.Tensor) -> tf.Tensor:
    """The source word with the highest weight of each target word, the first among equals.

    Args:
        weights: float32 `[..., source]` as `word_weights` gives them.

    Returns:
        int32 `[...]`; -1 where a row is all 0, as it is at padding and without attention.
    """
    # One column more in front: the first among equals where there is no weight, and no maximum of no column at all.
    padded = tf.pad(weights, [[0, 0]] * (weights.shape.rank - 1) + [[1, 0]])
    return tf.argmax(padded, axis=-1, output_type=tf.int32) - 1
