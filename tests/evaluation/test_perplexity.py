from __future__ import annotations

import math

import pytest

from tfnmt.evaluation.perplexity import perplexity


# C33: constant logits over 24 symbols, sentences of 1 and 9 words and their end symbols, in any grouping.
@pytest.mark.parametrize("batches", [[2, 10], [12], [2, 10, 2, 10]])
def test_uniform_distribution_has_the_size_of_the_vocabulary(batches):
    total = sum(math.log(24) * tokens for tokens in batches)
    assert perplexity(total, sum(batches)) == pytest.approx(24)


# C32: reporting never ends a training.
def test_exploding_likelihood_is_infinite():
    assert perplexity(1e6, 2) == math.inf
    assert perplexity(math.inf, 2) == math.inf
    assert math.isnan(perplexity(math.nan, 2))


# C31
def test_undefined_for_no_tokens():
    assert math.isnan(perplexity(0.0, 0))
