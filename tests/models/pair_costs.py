"""What a network says the words of each pair cost: in a batch, in a wider one, and alone."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

import numpy as np
import tensorflow as tf

from tests.models.networks import PAIRS, SOURCE_IDS, TARGET_IDS, padded
from tests.twins import END
from tfnmt.models.encoder_decoder import EncoderDecoder

IDS = tf.TensorSpec([None, None], tf.int32)
Costs = Callable[..., tuple[tf.Tensor, tf.Tensor, tf.Tensor]]


def compiled(network: EncoderDecoder) -> Costs:
    """Its `token_negative_log_likelihoods` of batches of any shape, in one graph."""
    function: Costs = tf.function(network.token_negative_log_likelihoods, input_signature=[IDS, IDS])
    return function


def assert_costs_in_batches_and_alone(
    costs: Costs, log_probabilities: Callable[[Sequence[int], Sequence[int]], np.ndarray]
) -> list[np.ndarray]:
    """They are those of the twin's `log p(. | y_<i, x)` `[target + 1, vocabulary]`, whatever stands beside a pair.

    Returns:
        The weights `[target + 1, source]` of each pair alone.
    """
    alignments = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        together, _, _ = costs(SOURCE_IDS, TARGET_IDS)
        wider, _, _ = costs(padded([source for source, _ in PAIRS], 15), padded([target for _, target in PAIRS], 9))
        for row, (source, target) in enumerate(PAIRS):
            (alone,), _, (weights,) = costs(padded([source]), padded([target]))
            rows = log_probabilities(source, target)
            expected = [-row[word] for row, word in zip(rows, [*target, END], strict=True)]
            np.testing.assert_allclose(alone, expected, atol=2e-5)
            np.testing.assert_allclose(together[row, : len(target) + 1], alone, atol=1e-5)
            np.testing.assert_allclose(wider[row, : len(target) + 1], alone, atol=1e-5)
            alignments.append(weights.numpy())
    return alignments
