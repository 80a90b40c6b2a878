"""What a search returns."""

from __future__ import annotations

from typing import NamedTuple

import tensorflow as tf


class Hypotheses(NamedTuple):
    """The best translations of each sentence of a batch, best first; `n` is the number that was asked for.

    A sentence with fewer than `n` hypotheses has empty ones with score -inf in the last places. The hypotheses of one
    sentence are distinct.

    Attributes:
        ids: int32 `[batch, n, target]`, the words without the end symbol, padded with 0.
        lengths: int32 `[batch, n]`, words; the end symbol is not counted.
        scores: float32 `[batch, n]`, what the ranking used, falling.
        log_probabilities: float32 `[batch, n]`, summed over the words and the end symbol (over the words alone where a
            hypothesis is not finished).
        weights: float32 `[batch, n, target + 1, source]`, the attention weights of the step that predicted each word;
            row `lengths` belongs to the end symbol, rows beyond it are 0.
        finished: bool `[batch, n]`, False where the hypothesis was cut at the length limit.
    """

    ids: tf.Tensor
    lengths: tf.Tensor
    scores: tf.Tensor
    log_probabilities: tf.Tensor
    weights: tf.Tensor
    finished: tf.Tensor
