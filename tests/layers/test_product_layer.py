import keras
import numpy as np
import pytest
import tensorflow as tf

from tfnmt.layers.product_layer import ProductLayer

INPUTS = np.random.default_rng(1).normal(size=[2, 3, 4]).astype("float32")
KERNEL = np.random.default_rng(2).normal(size=[4, 5]).astype("float32")


def test_product_runs_over_the_last_axis() -> None:
    np.testing.assert_allclose(ProductLayer().product(INPUTS, KERNEL), INPUTS @ KERNEL, atol=1e-6)


@pytest.mark.parametrize("half", ["float16", "bfloat16"])
def test_product_is_in_the_compute_dtype_and_its_result_in_float32(half: str) -> None:
    layer = ProductLayer(dtype=f"mixed_{half}")
    result = layer.product(INPUTS, KERNEL)
    rounded = tf.matmul(tf.reshape(tf.cast(INPUTS, half), [-1, 4]), tf.cast(KERNEL, half))
    np.testing.assert_array_equal(result, np.reshape(tf.cast(rounded, tf.float32), [2, 3, 5]))
    assert result.dtype == tf.float32


def test_product_keeps_what_is_known_of_the_shape() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None, 3, 4])])
    def product(inputs: tf.Tensor) -> tf.Tensor:
        result = ProductLayer().product(inputs, KERNEL)
        assert result.shape.as_list() == [None, 3, 5]
        return result

    np.testing.assert_allclose(product(INPUTS), INPUTS @ KERNEL, atol=1e-6)


class Inner(ProductLayer):
    def build(self, shape: tuple[int | None, ...]) -> None:
        self.kernel = self.add_weight(name="kernel", shape=(shape[-1], 2))
        self.built = True

    def call(self, inputs: tf.Tensor) -> tf.Tensor:
        self.seen = inputs.dtype, tf.convert_to_tensor(self.kernel).dtype
        return self.product(inputs, self.kernel)


def test_neither_inputs_nor_weights_are_cast_by_keras() -> None:
    layer = Inner(dtype="mixed_float16")
    outer = keras.Sequential([keras.layers.Dense(4, dtype="mixed_float16"), layer])
    outer(INPUTS)
    assert layer.seen == (tf.float16, tf.float32)
    layer(INPUTS)
    assert layer.seen == (tf.float32, tf.float32)


def test_builds_a_part_once() -> None:
    layer, part = ProductLayer(), Inner()
    layer.build_part(part, (None, 4))
    kernel = part.kernel
    layer.build_part(part, (None, 9))
    assert part.kernel is kernel
    assert part.kernel.shape == (4, 2)
