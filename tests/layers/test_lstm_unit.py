import keras
import numpy as np
import pytest
import tensorflow as tf

from tests import luong_twins, twins
from tests.layers.compared import assert_uniform
from tfnmt.layers.lstm_unit import LSTMUnit

BATCH, TIME, FEATURES, UNITS = 3, 5, 4, 6


@pytest.fixture
def unit() -> LSTMUnit:
    unit = LSTMUnit(UNITS)
    unit.build((None, FEATURES))
    twins.randomize(unit)
    return unit


def random(*shape: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype("float32")


INPUTS, OUTPUT, CELL = random(BATCH, FEATURES), random(BATCH, UNITS, seed=2), random(BATCH, UNITS, seed=3)


def test_one_step_equals_the_equations(unit: LSTMUnit) -> None:
    output, (new_output, new_cell) = unit(INPUTS, [OUTPUT, CELL])
    W = luong_twins.letters_of_unit(unit)
    for row in range(BATCH):
        h, c = luong_twins.lstm(W, INPUTS[row], OUTPUT[row], CELL[row])
        np.testing.assert_allclose(output[row], h, atol=1e-6)
        np.testing.assert_allclose(new_cell[row], c, atol=1e-6)
    np.testing.assert_array_equal(output, new_output)


@pytest.fixture
def keras_cell(unit: LSTMUnit) -> keras.layers.LSTMCell:
    """Keras's cell with the same weights; it has its blocks in the order i, f, g, o."""
    cell = keras.layers.LSTMCell(UNITS, use_bias=False)
    cell.build((None, FEATURES))
    for theirs, ours in ((cell.kernel, unit.kernel), (cell.recurrent_kernel, unit.recurrent_kernel)):
        theirs.assign(_blocks_as_in_keras(ours.numpy()))
    return cell


def _blocks_as_in_keras(kernel: np.ndarray) -> np.ndarray:
    i, f, o, g = np.split(kernel, 4, axis=1)
    return np.hstack([i, f, g, o])


def test_is_the_cell_of_keras_without_a_bias(unit: LSTMUnit, keras_cell: keras.layers.LSTMCell) -> None:
    expected, (_, expected_cell) = keras_cell(INPUTS, [OUTPUT, CELL])
    output, (_, new_cell) = unit(INPUTS, [OUTPUT, CELL])
    np.testing.assert_allclose(output, expected, atol=1e-6)
    np.testing.assert_allclose(new_cell, expected_cell, atol=1e-6)


def test_has_the_gradients_of_the_cell_of_keras(unit: LSTMUnit, keras_cell: keras.layers.LSTMCell) -> None:
    def gradients(cell: keras.layers.Layer) -> list[np.ndarray]:
        given = [tf.constant(part) for part in (INPUTS, OUTPUT, CELL)]
        with tf.GradientTape() as tape:
            tape.watch(given)
            output, (_, new_cell) = cell(given[0], given[1:])
            total = tf.reduce_sum(tf.sin(output)) + tf.reduce_sum(tf.cos(new_cell))
        return [part.numpy() for part in tape.gradient(total, [*given, cell.kernel.value, cell.recurrent_kernel.value])]

    *ours, kernel, recurrent_kernel = gradients(unit)
    found = [*ours, _blocks_as_in_keras(kernel), _blocks_as_in_keras(recurrent_kernel)]
    for one, other in zip(found, gradients(keras_cell), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)
        assert np.max(np.abs(other)) > 0.01


@pytest.mark.parametrize("backwards", [False, True])
def test_works_as_a_cell_in_keras_with_a_mask(unit: LSTMUnit, backwards: bool) -> None:
    inputs, lengths = random(BATCH, TIME, FEATURES), [5, 2, 1]
    mask = tf.sequence_mask(lengths, TIME)
    layer = keras.layers.RNN(unit, return_sequences=True, return_state=True, go_backwards=backwards)
    states, last, cell = layer(inputs, mask=mask)
    W = luong_twins.letters_of_unit(unit)
    for row, length in enumerate(lengths):
        h = c = np.zeros(UNITS)
        for time, x in enumerate(inputs[row, :length][:: -1 if backwards else 1]):
            h, c = luong_twins.lstm(W, x, h, c)
            np.testing.assert_allclose(states[row, time + (TIME - length if backwards else 0)], h, atol=1e-5)
        np.testing.assert_allclose(last[row], h, atol=1e-5)
        np.testing.assert_allclose(cell[row], c, atol=1e-5)


def test_has_no_bias(unit: LSTMUnit) -> None:
    np.testing.assert_array_equal(unit.project(np.zeros([1, FEATURES], "float32")), np.zeros([1, 4 * UNITS]))
    zeros = unit.get_initial_state(batch_size=2)
    output, state = unit(np.zeros([2, FEATURES], "float32"), zeros)
    for tensor in (output, *zeros, *state):
        np.testing.assert_array_equal(tensor, np.zeros([2, UNITS]))


def test_starts_as_in_the_paper() -> None:
    unit = LSTMUnit(60)
    unit.build((None, 60))
    assert_uniform(unit.kernel)
    assert_uniform(unit.recurrent_kernel)
    assert not np.allclose(unit.kernel, unit.recurrent_kernel)
