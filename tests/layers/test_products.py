import keras
import numpy as np
import pytest
import tensorflow as tf

from tfnmt.layers.products import Products

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
