from collections.abc import Callable
from typing import Any

import keras
import numpy as np
import pytest
import tensorflow as tf

from tfnmt.layers.products import Products
from tfnmt.layers.recurrence import keep_at_padding, scan

BATCH, TIME, UNITS = 3, 4, 2
INPUTS = tf.constant(np.random.default_rng(1).normal(size=[BATCH, TIME, UNITS]), tf.float32)
SPEC = tf.TensorSpec([None, UNITS])
KERNEL = keras.Variable(np.random.default_rng(2).normal(size=[UNITS, UNITS]), dtype="float32", name="kernel")


def running_total(products: Products) -> Callable[[Any, Any], tuple[Any, Any]]:
    return lambda inputs, state: (10 * (inputs + state), inputs + state)


def test_outputs_stay_at_their_times() -> None:
    outputs, last = scan(running_total, INPUTS, tf.ones([BATCH, UNITS]), SPEC)
    expected = 1 + np.cumsum(INPUTS, axis=1)
    np.testing.assert_allclose(outputs, 10 * expected, rtol=1e-5)
    np.testing.assert_allclose(last, expected[:, -1], rtol=1e-5)


def test_reverse_walks_from_the_last_time() -> None:
    outputs, last = scan(running_total, INPUTS, tf.zeros([BATCH, UNITS]), SPEC, reverse=True)
    expected = np.cumsum(INPUTS.numpy()[:, ::-1], axis=1)[:, ::-1]
    np.testing.assert_allclose(outputs, 10 * expected, atol=1e-5)
    np.testing.assert_allclose(last, expected[:, 0], atol=1e-5)


def test_inputs_state_and_outputs_may_be_nests() -> None:
    def in_loop(products: Products) -> Callable[[Any, Any], tuple[Any, Any]]:
        def update(inputs: Any, state: Any) -> tuple[Any, Any]:
            total, count = state
            total += inputs["word"] * inputs["weight"]
            return {"total": total, "count": count}, (total, count + 1)

        return update

    inputs = {"word": INPUTS, "weight": tf.fill([BATCH, TIME, 1], 2.0)}
    specs = {"total": SPEC, "count": tf.TensorSpec([None], tf.int32)}
    outputs, (_, count) = scan(in_loop, inputs, (tf.zeros([BATCH, UNITS]), tf.zeros([BATCH], tf.int32)), specs)
    np.testing.assert_allclose(outputs["total"], 2 * np.cumsum(INPUTS, axis=1), rtol=1e-5)
    np.testing.assert_array_equal(outputs["count"], [range(TIME)] * BATCH)
    np.testing.assert_array_equal(count, [TIME] * BATCH)


def test_there_may_be_no_row() -> None:
    outputs, last = scan(running_total, tf.zeros([0, TIME, UNITS]), tf.ones([0, UNITS]), SPEC)
    assert outputs.shape == (0, TIME, UNITS)
    assert last.shape == (0, UNITS)


def test_padding_keeps_the_state() -> None:
    mask = np.array([[True, True, True, True], [True, True, False, False], [False, False, False, False]])

    def in_loop(products: Products) -> Callable[[Any, Any], tuple[Any, Any]]:
        return keep_at_padding(lambda inputs, state: inputs + state)

    for reverse in (False, True):
        outputs, last = scan(
            in_loop, (INPUTS, tf.constant(mask[..., None])), tf.ones([BATCH, UNITS]), SPEC, reverse=reverse
        )
        order = slice(None, None, -1 if reverse else 1)
        expected = 1 + np.cumsum((INPUTS.numpy() * mask[..., None])[:, order], axis=1)
        np.testing.assert_allclose(outputs, expected[:, order], rtol=1e-5)
        np.testing.assert_allclose(last, expected[:, -1], rtol=1e-5)
        np.testing.assert_array_equal(last[2], [1, 1])


def recurrence(products: Products) -> Callable[[Any, Any], tuple[Any, Any]]:
    product = products.by(KERNEL, "float32")

    def update(inputs: tf.Tensor, state: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        state = tf.tanh(inputs + product(state))
        return state, state

    return update


def cost_of_scan(inputs: tf.Tensor, state: tf.Tensor) -> tf.Tensor:
    outputs, last = scan(recurrence, inputs, state, SPEC)
    return tf.reduce_sum(outputs**2) + tf.reduce_sum(last**3)


def cost_of_plain_loop(inputs: tf.Tensor, state: tf.Tensor) -> tf.Tensor:
    update, cost = recurrence(Products()), 0.0
    for time in range(TIME):
        output, state = update(inputs[:, time], state)
        cost += tf.reduce_sum(output**2)
    return cost + tf.reduce_sum(state**3)


def gradients(cost: Callable[..., tf.Tensor]) -> list[tf.Tensor]:
    inputs, state = INPUTS, INPUTS[:, 0]
    with tf.GradientTape() as tape:
        tape.watch([inputs, state])
        value = cost(inputs, state)
    return [value, *tape.gradient(value, [inputs, state, KERNEL.value])]


@pytest.mark.parametrize("way", ["eager", "tape around a graph", "tape inside a graph"])
def test_gradients_are_those_of_a_plain_loop(way: str) -> None:
    ways = {
        "eager": lambda: gradients(cost_of_scan),
        "tape around a graph": lambda: gradients(tf.function(cost_of_scan)),
        "tape inside a graph": tf.function(lambda: gradients(cost_of_scan)),
    }
    for found, expected in zip(ways[way](), gradients(cost_of_plain_loop), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6)


def test_parts_of_a_state_that_are_one_tensor_have_a_gradient_each() -> None:
    def in_loop(products: Products) -> Callable[[Any, Any], tuple[Any, Any]]:
        def update(inputs: tf.Tensor, state: tuple[tf.Tensor, tf.Tensor]) -> tuple[tf.Tensor, Any]:
            total = inputs * state[0] + state[1]
            return total, (total, total)

        return update

    with tf.GradientTape() as tape:
        tape.watch(INPUTS)
        _, (last, _) = scan(in_loop, INPUTS, (INPUTS[:, 0],) * 2, SPEC)
    expected, values = np.ones([BATCH, UNITS]), INPUTS.numpy()
    for time in range(1, TIME):  # d/dx_1 of x_0 (x_0 + 1) (x_1 + 1) ...
        expected = expected * (values[:, time] + 1 if time != 1 else 1)
    expected = expected * values[:, 0] * (values[:, 0] + 1)
    np.testing.assert_allclose(tape.gradient(last, INPUTS)[:, 1], expected, rtol=1e-4)
