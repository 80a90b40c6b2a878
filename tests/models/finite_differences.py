"""The gradient of a network's loss beside finite differences of its twin's cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
import tensorflow as tf

from tests.models.networks import padded
from tests.twins import END, Letters
from tfnmt.models.encoder_decoder import EncoderDecoder

Pair = tuple[Sequence[int], Sequence[int]]


def assert_every_gradient_equals_finite_differences(
    network: EncoderDecoder,
    letters_of: Callable[..., Letters],
    log_probabilities: Callable[[Letters, Sequence[int], Sequence[int]], np.ndarray],
    pairs: Sequence[Pair],
    distance: float = 1e-5,
    tolerance: float = 1e-4,
) -> list[np.ndarray]:
    """Along a random direction of each letter; the loss and its differences are those of a float64 twin.

    Args:
        letters_of: from the network, and perhaps what to `read` of a variable, to the letters of its equations.
        log_probabilities: the twin's `log p(. | y_<i, x)` `[target + 1, vocabulary]`.
        pairs: of source and target ids, without end symbols.
        distance: how far a letter is moved to either side.
        tolerance: between the slopes, as a share of the gradient's norm.

    Returns:
        The gradient of each letter.
    """

    def cost() -> float:
        total = 0.0
        for source, target in pairs:
            rows = log_probabilities(letters, source, target)
            total -= sum(row[word] for row, word in zip(rows, [*target, END], strict=True))
        return total

    variables = network.trainable_variables
    sources, targets = (padded(list(side)) for side in zip(*pairs, strict=True))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(network.token_losses(sources, targets, training=True))
    gradients = tape.gradient(loss, [variable.value for variable in variables])
    by_path = {
        variable.path: tf.convert_to_tensor(gradient).numpy().astype("float64")
        for variable, gradient in zip(variables, gradients, strict=True)
    }
    letters = letters_of(network)
    slopes = tf.nest.flatten(letters_of(network, read=lambda variable: by_path[variable.path]))
    assert float(loss) == pytest.approx(cost(), rel=1e-5)
    random = np.random.default_rng(3)
    found = []
    for value, slope in zip(tf.nest.flatten(letters), slopes, strict=True):
        if not isinstance(value, np.ndarray):
            continue  # a number of the architecture, such as the width of a mean
        direction = random.normal(size=value.shape)
        direction *= distance / np.linalg.norm(direction)
        value += direction
        above = cost()
        value -= 2 * direction
        below = cost()
        value += direction
        expected = np.sum(slope * direction) / distance
        assert (above - below) / 2 / distance == pytest.approx(expected, abs=tolerance * np.linalg.norm(slope) + 1e-5)
        found.append(slope)
    return found
