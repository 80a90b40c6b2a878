import keras
import numpy as np
import tensorflow as tf

from tests import luong_twins, twins
from tfnmt.layers.lstm_stack import lstm_stack, stack_in_loop, with_sizes_read
from tfnmt.layers.lstm_unit import LSTMUnit
from tfnmt.layers.products import Products

BATCH, UNITS, LAYERS = 2, 5, 3


def built_stack() -> list[LSTMUnit]:
    stack = lstm_stack(LAYERS, UNITS, keras.initializers.RandomUniform(-0.1, 0.1, seed=1), keras.DTypePolicy("float32"))
    for unit in stack:
        unit.build((None, UNITS))
    return stack


def test_each_layer_reads_what_stands_between_it_and_the_output_below() -> None:
    stack = built_stack()
    for number, unit in enumerate(stack):
        twins.randomize(unit, seed=number)
    random = np.random.default_rng(1)
    inputs = random.normal(size=[BATCH, UNITS]).astype("float32")
    states = random.normal(size=[LAYERS, 2, BATCH, UNITS]).astype("float32")
    given = [tuple(map(tf.constant, state)) for state in states]
    found = stack_in_loop(stack, Products())(stack[0].project(inputs), given, lambda output, layer: output * layer)
    for row in range(BATCH):
        read = inputs[row]
        for layer, unit in enumerate(stack):
            h, c = luong_twins.lstm(luong_twins.letters_of_unit(unit), read, *states[layer, :, row])
            np.testing.assert_allclose(found[layer][0][row], h, atol=1e-6)
            np.testing.assert_allclose(found[layer][1][row], c, atol=1e-6)
            read = h * (layer + 1)


def test_layers_are_drawn_on_their_own() -> None:
    kernels = [kernel.numpy() for unit in built_stack() for kernel in (unit.kernel, unit.recurrent_kernel)]
    for number, kernel in enumerate(kernels):
        assert not any(np.array_equal(kernel, other) for other in kernels[:number])


def test_the_lowest_layer_reads_what_is_given_and_the_others_the_layer_below() -> None:
    assert [size for _, size in with_sizes_read(built_stack(), 7)] == [7, UNITS, UNITS]
