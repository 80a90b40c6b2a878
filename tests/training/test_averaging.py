"""The moving average of the weights."""

from __future__ import annotations

import keras
import numpy as np
import pytest

from tfnmt.training.averaging import ExponentialAverage


def test_it_is_the_recurrence_with_its_quick_start() -> None:
    weight = keras.Variable([1.0, -2.0])
    average = ExponentialAverage(decay=0.5)
    average.build([weight])
    expected, random = np.array([1.0, -2.0]), np.random.default_rng(1)
    for update in range(1, 30):
        value = random.normal(size=2)
        weight.assign(value)
        average.update()
        decay = min(0.5, (1 + update) / (10 + update))
        expected = decay * expected + (1 - decay) * value
        np.testing.assert_allclose(average.averages[0], expected, rtol=1e-5)


def test_it_is_in_the_network_inside_the_block_only() -> None:
    weight = keras.Variable([1.0])
    average = ExponentialAverage()
    average.build([weight])
    weight.assign([3.0])
    with average.applied():
        np.testing.assert_array_equal(weight.numpy(), [1.0])
    np.testing.assert_array_equal(weight.numpy(), [3.0])
    with pytest.raises(RuntimeError), average.applied():
        raise RuntimeError
    np.testing.assert_array_equal(weight.numpy(), [3.0])


@pytest.mark.parametrize("decay", [0.0, 1.0, -1.0])
def test_a_decay_that_averages_nothing_is_refused(decay: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        ExponentialAverage(decay)
