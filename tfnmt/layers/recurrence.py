"""The loop over time that encoders and decoders share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf


def scan(
    update: Callable[[Any, Any], tuple[Any, Any]],
    inputs: Any,
    state: Any,
    output_specs: Any,
    reverse: bool = False,
) -> tuple[Any, Any]:
    """Runs `update` along the time axis.

    Args:
        update: `(inputs at one time, state) -> (outputs at that time, new state)`, nests of `[batch, ...]`.
        inputs: nest of `[batch, time, ...]`, any batch and time.
        state: nest of `[batch, ...]`, the state before the first step; keeps its dtypes.
        output_specs: nest of `tf.TensorSpec`, what `update` outputs at one time.
        reverse: walk from the last time to the first; outputs stay at their own times.

    Returns:
        The outputs, a nest of `[batch, time, ...]`, and the last state.
    """
    time_major = tf.nest.map_structure(_swap_batch_and_time, inputs)
    steps = tf.shape(tf.nest.flatten(time_major)[0])[0]

    def slice_at(time: tf.Tensor) -> Any:
        return tf.nest.map_structure(lambda tensor: tensor[time], time_major)

    arrays = tf.nest.map_structure(
        lambda spec: tf.TensorArray(spec.dtype, size=steps, element_shape=spec.shape), output_specs
    )

    def body(count: tf.Tensor, state: Any, arrays: Any) -> tuple[tf.Tensor, Any, Any]:
        time = steps - 1 - count if reverse else count
        outputs, state = update(slice_at(time), state)
        arrays = tf.nest.map_structure(lambda array, output: array.write(time, output), arrays, outputs)
        return count + 1, state, arrays

    _, state, arrays = tf.while_loop(
        lambda count, *_: count < steps, body, (tf.constant(0), state, arrays), maximum_iterations=steps
    )
    return tf.nest.map_structure(lambda array: _swap_batch_and_time(array.stack()), arrays), state


def keep_at_padding(update: Callable[[Any, Any], Any]) -> Callable[[Any, Any], tuple[Any, Any]]:
    """A state update for `scan` that copies the previous state at padded positions and outputs each new state.

    The inputs of the result are `(inputs, mask [batch, 1] bool)`.
    """

    def masked(inputs_and_mask: tuple[Any, tf.Tensor], state: Any) -> tuple[Any, Any]:
        inputs, mask = inputs_and_mask
        new_state = tf.nest.map_structure(lambda new, old: tf.where(mask, new, old), update(inputs, state), state)
        return new_state, new_state

    return masked


def _swap_batch_and_time(tensor: tf.Tensor) -> tf.Tensor:
    return tf.transpose(tensor, [1, 0, *range(2, tensor.shape.rank)])
