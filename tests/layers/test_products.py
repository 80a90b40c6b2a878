import functools
from collections.abc import Callable
from typing import Any

import keras
import numpy as np
import pytest
import tensorflow as tf

from tfnmt.layers.products import Products
from tfnmt.layers.recurrence import scan

INPUTS = np.random.default_rng(1).normal(size=[2, 3, 4]).astype("float32")
KERNEL = keras.Variable(np.random.default_rng(2).normal(size=[4, 5]), dtype="float32", name="kernel")


def test_product_runs_over_the_last_axis() -> None:
    np.testing.assert_allclose(Products().by(KERNEL, "float32")(INPUTS), INPUTS @ KERNEL.numpy(), atol=1e-6)


@pytest.mark.parametrize("half", ["float16", "bfloat16"])
def test_product_is_in_half_precision_and_its_result_in_float32(half: str) -> None:
    result = Products().by(KERNEL, half)(INPUTS)
    rounded = tf.matmul(tf.reshape(tf.cast(INPUTS, half), [-1, 4]), tf.cast(KERNEL.value, half))
    np.testing.assert_array_equal(result, np.reshape(tf.cast(rounded, tf.float32), [2, 3, 5]))
    assert result.dtype == tf.float32


SENTENCES = tf.constant(np.random.default_rng(3).normal(size=[2, 4, 4]), tf.float32)  # a matrix for each of two
TIMES = tf.constant(np.random.default_rng(4).normal(size=[2, 3, 4]), tf.float32)
BACK = keras.Variable(np.random.default_rng(5).normal(size=[5, 4]), dtype="float32", name="back")
SCALE = keras.Variable(np.random.default_rng(6).normal(size=[4]), dtype="float32", name="scale")

PLACES = tf.constant([[[0, 0, 2]], [[3, 1, 1]]])  # some rows twice, some never


def recurrence(products: Products, matrices: tf.Tensor) -> Callable[[tf.Tensor, tf.Tensor], tuple[Any, Any]]:
    """Products with fixed matrices and with each sentence's own, of rows and of hypotheses, with and without `plus`; a
    tensor that is read twice and one whose rows are looked up, floats and integers; a weight outside of products."""
    there, back = products.by(KERNEL, "float32"), products.by(BACK, "float32")
    own = products.by_sentence(matrices, "float32")
    first, again, scale = products.fixed((matrices, matrices, SCALE))
    look_up, number_of = products.look_up(matrices), products.look_up(tf.constant([[0, 1, 2, 3]] * 2))

    def update(inputs: tf.Tensor, state: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        looked = own(tf.tanh(state + inputs)[:, tf.newaxis])  # [batch, 1, 4]
        state = back(tf.tanh(there(looked))[:, 0], plus=inputs)
        state += scale * tf.reduce_sum(tf.sin(first) * again, axis=1)
        numbers = tf.cast(number_of(PLACES), tf.float32)[..., tf.newaxis]
        state += tf.reduce_sum(tf.cos(look_up(PLACES) * state[:, tf.newaxis, tf.newaxis]) * numbers, axis=[1, 2])
        return state, state

    return update


def gradients(kept: bool) -> list[tf.Tensor]:
    start = TIMES[:, 0]
    with tf.GradientTape() as tape:
        tape.watch([TIMES, start, SENTENCES])
        if kept:
            in_loop = functools.partial(recurrence, matrices=SENTENCES)
            outputs, _ = scan(in_loop, TIMES, start, tf.TensorSpec([None, 4]))
        else:
            update, state, steps = recurrence(Products(), SENTENCES), start, []
            for time in range(3):
                output, state = update(TIMES[:, time], state)
                steps.append(output)
            outputs = tf.stack(steps, axis=1)
        total = tf.reduce_sum(tf.sin(outputs))
    return [total, *tape.gradient(total, [TIMES, start, SENTENCES, KERNEL.value, BACK.value, SCALE.value])]


@pytest.mark.parametrize("graph", [False, True], ids=["eager", "graph"])
def test_kept_products_have_the_gradients_of_plain_ones(graph: bool) -> None:
    found = (tf.function(gradients) if graph else gradients)(True)
    for one, other in zip(found, gradients(False), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)
        assert np.max(np.abs(other)) > 0.1


def read_whole(products: Products, tensor: tf.Tensor) -> Callable[[], tf.Tensor]:
    operand = products.fixed(tensor, "bfloat16")
    return lambda: operand


def look_up_the_first(products: Products, tensor: tf.Tensor) -> Callable[[], tf.Tensor]:
    look_up = products.look_up(tensor, "bfloat16")
    return lambda: look_up(tf.zeros([1, 1], tf.int32))


@pytest.mark.parametrize("way", [read_whole, look_up_the_first])
def test_what_a_loop_reads_in_half_precision_has_its_gradient_summed_in_float32(way: Callable[..., Any]) -> None:
    """A thousand steps that add 0.001 each: in bfloat16 the sum would stop at 0.5, whose next number is 0.504."""
    tensor = tf.constant([[1.0]])

    def in_loop(products: Products) -> Callable[[tf.Tensor, tf.Tensor], tuple[Any, Any]]:
        read = way(products, tensor)

        def update(inputs: tf.Tensor, state: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
            operand = read()
            assert operand.dtype == "bfloat16"
            return inputs * tf.reshape(tf.cast(operand, tf.float32), [1, 1]), state

        return update

    steps = tf.fill([1, 1000, 1], 0.001)
    with tf.GradientTape() as tape:
        tape.watch(tensor)
        outputs, _ = scan(in_loop, steps, tf.zeros([1, 1]), tf.TensorSpec([None, 1]))
        total = tf.reduce_sum(outputs)
    np.testing.assert_allclose(tape.gradient(total, tensor), [[1.0]], rtol=3e-3)
