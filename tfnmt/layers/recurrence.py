"""The loop over time that encoders and decoders share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tfnmt.layers.products import DeferredProducts, Products

Update = Callable[[Any, Any], tuple[Any, Any]]
"""`(inputs at one time, state) -> (outputs at that time, new state)`, nests of `[batch, ...]`."""


def scan(
    in_loop: Callable[[Products], Update],
    inputs: Any,
    state: Any,
    output_specs: Any,
    reverse: bool = False,
) -> tuple[Any, Any]:
    """Runs an update along the time axis; weight gradients are taken once, after the loop.

    Args:
        in_loop: gives the update, with its products taken from what it is given.
        inputs: nest of `[batch, time, ...]`, any batch and time.
        state: nest of `[batch, ...]`, the state before the first step; keeps its dtypes.
        output_specs: nest of `tf.TensorSpec`, what the update outputs at one time.
        reverse: walk from the last time to the first; outputs stay at their own times.

    Returns:
        The outputs, a nest of `[batch, time, ...]`, and the last state.
    """
    batch, steps = (tf.shape(tf.nest.flatten(inputs)[0])[axis] for axis in (0, 1))
    products = DeferredProducts()
    update = in_loop(products)
    slots, product_specs = products.open(steps, batch)
    # Read as arrays: the gradient of indexing a tensor would fill a tensor of all times at each time.
    readable = tf.nest.map_structure(
        lambda tensor: _array(tensor.dtype, steps, tensor.shape[1:]).unstack(tensor),
        (tf.nest.map_structure(_swap_batch_and_time, inputs), slots),
    )
    writable = tf.nest.map_structure(lambda spec: _array(spec.dtype, steps, spec.shape), (output_specs, product_specs))

    def body(count: tf.Tensor, state: Any, writable: Any) -> tuple[tf.Tensor, Any, Any]:
        time = steps - 1 - count if reverse else count
        inputs_now, slots_now = tf.nest.map_structure(lambda array: array.read(time), readable)
        products.enter(slots_now)
        outputs, state = update(inputs_now, state)
        written = tf.nest.map_structure(
            lambda array, value: array.write(time, value), writable, (outputs, products.leave())
        )
        return count + 1, state, written

    _, state, written = tf.while_loop(
        lambda count, *_: count < steps, body, (tf.constant(0), state, writable), maximum_iterations=steps
    )
    outputs, given = tf.nest.map_structure(lambda array: array.stack(), written)
    products.close(given)
    return tf.nest.map_structure(_swap_batch_and_time, outputs), state


def _array(dtype: tf.DType, steps: tf.Tensor, shape: tf.TensorShape) -> tf.TensorArray:
    return tf.TensorArray(dtype, size=steps, element_shape=shape, clear_after_read=False)


def keep_at_padding(update: Callable[[Any, Any], Any], output: Callable[[Any], Any] = lambda state: state) -> Update:
    """A state update for `scan` that copies the previous state at padded positions.

    Args:
        update: `(inputs, state) -> new state`.
        output: what of each new state is an output.

    Returns:
        An update whose inputs are `(inputs, mask [batch, 1] bool)`.
    """

    def masked(inputs_and_mask: tuple[Any, tf.Tensor], state: Any) -> tuple[Any, Any]:
        inputs, mask = inputs_and_mask
        new_state = tf.nest.map_structure(lambda new, old: tf.where(mask, new, old), update(inputs, state), state)
        return output(new_state), new_state

    return masked


def _swap_batch_and_time(tensor: tf.Tensor) -> tf.Tensor:
    return tf.transpose(tensor, [1, 0, *range(2, tensor.shape.rank)])
