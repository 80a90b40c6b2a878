"""The moving average of the weights."""

from __future__ import annotations

from pathlib import Path

import keras
import numpy as np
import pytest
import tensorflow as tf

from tfnmt.errors import UserError
from tfnmt.training.averaging import ExponentialAverage, average_checkpoints


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


def written(directory: Path, values: list[float]) -> keras.Model:
    """A network of one weight, and a checkpoint for each value that it had, as a run writes them."""
    network = keras.Sequential([keras.Input([1]), keras.layers.Dense(1, use_bias=False), keras.layers.Dropout(0.5)])
    checkpoint = tf.train.Checkpoint(network=[variable.value for variable in network.variables], other=tf.Variable(7.0))
    manager = tf.train.CheckpointManager(checkpoint, str(directory), max_to_keep=3)
    for step, value in enumerate(values, start=1):
        network.weights[0].assign([[value]])
        manager.save(checkpoint_number=step)
    return network


def test_the_mean_of_the_last_checkpoints_is_put_into_the_network(tmp_path: Path) -> None:
    network = written(tmp_path, [100.0, 1.0, 2.0, 6.0])
    network.weights[0].assign([[50.0]])
    paths = average_checkpoints(network, tmp_path)
    assert [path.name for path in paths] == ["ckpt-2", "ckpt-3", "ckpt-4"]
    assert network.weights[0].numpy() == pytest.approx(3.0)
    average_checkpoints(network, tmp_path, last=2)
    assert network.weights[0].numpy() == pytest.approx(4.0)


def test_too_few_checkpoints_and_those_of_another_network_are_refused(tmp_path: Path) -> None:
    network = written(tmp_path, [1.0, 2.0])
    with pytest.raises(UserError, match=r"2 checkpoints, and a mean needs 3 .* --set training.keep_checkpoints=3"):
        average_checkpoints(network, tmp_path, last=3)
    with pytest.raises(UserError, match="holds 0 checkpoints"):
        average_checkpoints(network, tmp_path / "nowhere")
    other = keras.Sequential([keras.Input([2]), keras.layers.Dense(3)])
    with pytest.raises(UserError, match="belongs to another network"):
        average_checkpoints(other, tmp_path)
