"""Layers of LSTM units, each reading the outputs of the one below."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import keras
import tensorflow as tf

from tfnmt.layers.initializers import fresh
from tfnmt.layers.lstm_unit import LSTMState, LSTMUnit
from tfnmt.layers.products import Products

Between = Callable[[tf.Tensor, int], tf.Tensor]
"""What layer number `n`, from 1, reads of the output `[rows, units]` of the layer below: `(output, n) -> read`."""

StackUpdate = Callable[[tf.Tensor, Sequence[LSTMState], Between], tuple[LSTMState, ...]]
"""`(projected [rows, 4 * units] for the first layer, states, between) -> new states`."""


def lstm_stack(
    layers: int, units: int, kernel_initializer: keras.initializers.Initializer, dtype: keras.DTypePolicy
) -> list[LSTMUnit]:
    """The units of a stack from the lowest layer up, each with weights drawn on their own."""
    return [
        LSTMUnit(units, kernel_initializer=fresh(kernel_initializer, 2 * layer + 1), dtype=dtype, name=f"unit_{layer}")
        for layer in range(layers)
    ]


def with_sizes_read(stack: Sequence[LSTMUnit], size: int) -> Iterator[tuple[LSTMUnit, int]]:
    """Each unit with the size of what it reads: `size` the lowest, the outputs of the layer below the others."""
    return zip(stack, [size, *(unit.units for unit in stack[:-1])], strict=True)


def stack_in_loop(stack: Sequence[LSTMUnit], products: Products) -> StackUpdate:
    """The update of all layers at one time, for use inside a loop."""
    first, *upper = (unit.in_loop(products) for unit in stack)
    upper_inputs = [products.by(unit.kernel, unit.compute_dtype) for unit in stack[1:]]

    def update(projected: tf.Tensor, states: Sequence[LSTMState], between: Between) -> tuple[LSTMState, ...]:
        new_states = [first(projected, states[0])]
        for layer, (upper_update, product) in enumerate(zip(upper, upper_inputs, strict=True), start=1):
            new_states.append(upper_update(product(between(new_states[-1][0], layer)), states[layer]))
        return tuple(new_states)

    return update
