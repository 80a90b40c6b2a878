"""Perplexity: the exponential of the mean negative log-likelihood of a token."""

from __future__ import annotations

import math


def perplexity(negative_log_likelihood: float, tokens: int) -> float:
    """Perplexity of a corpus, `exp(negative_log_likelihood / tokens)`.

    Sum both numbers over the whole corpus first: a mean of the perplexities of batches depends on the batches.

    Args:
        negative_log_likelihood: sum over all real target tokens, in nats, of the exact softmax, without label
            smoothing or any other part of a training loss.
        tokens: how many tokens that sum has: the words of each target sentence and one end symbol a sentence, no
            padding.

    Returns:
        The perplexity. Infinity where it exceeds every float; not-a-number where it is undefined: for no tokens, or
        for a likelihood that is not a number. Never raises, so that a diverging training can report itself.
    """
    if tokens <= 0:
        return math.nan
    try:
        return math.exp(negative_log_likelihood / tokens)
    except OverflowError:
        return math.inf
