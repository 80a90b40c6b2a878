import keras
import numpy as np
import pytest
import tensorflow as tf

from tfnmt.layers.loop_invariants import StepProducts, cast_once, loop_invariant, loop_invariants

KERNEL = np.random.default_rng(1).normal(size=(3, 3)).astype(np.float32)


def powers(kernel: keras.Variable, times: tf.Tensor) -> tf.Tensor:
    """The kernel multiplied by itself, a product at each step of a loop."""

    def step(count: tf.Tensor, product: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        return count + 1, StepProducts().by(kernel, "bfloat16")(product)

    with loop_invariants():
        return tf.while_loop(lambda count, _: count < times, step, (tf.constant(0), tf.eye(3)))[1]


def bodies(concrete: tf.types.experimental.ConcreteFunction) -> list[list[str]]:
    """The operations of each function inside a graph, such as the body of a loop."""
    library = concrete.graph.as_graph_def().library.function
    return [[node.op for node in function.node_def] for function in library]


@pytest.mark.parametrize("eagerly", [True, False])
def test_a_weight_is_read_and_cast_before_the_loop(eagerly: bool) -> None:
    kernel = keras.Variable(KERNEL)
    function = powers if eagerly else tf.function(powers, autograph=False)
    expected = np.eye(3, dtype=np.float32)
    for _ in range(4):
        rows = tf.matmul(tf.cast(expected, tf.bfloat16), tf.cast(KERNEL, tf.bfloat16))
        expected = tf.cast(rows, tf.float32).numpy()
    np.testing.assert_array_equal(function(kernel, tf.constant(4)), expected)
    if not eagerly:
        concrete = function.get_concrete_function(kernel, tf.constant(4))
        assert sum("MatMul" in operations for operations in bodies(concrete)) == 1
        assert not any("ReadVariableOp" in operations for operations in bodies(concrete))


def test_each_is_made_once_and_none_outlives_its_loop() -> None:
    kernel, made = keras.Variable(KERNEL), []

    def make() -> tf.Tensor:
        made.append(None)
        return tf.constant(1.0)

    with loop_invariants():
        assert cast_once(kernel, "bfloat16") is cast_once(kernel, "bfloat16")
        assert cast_once(kernel, "bfloat16") is not cast_once(kernel, "float16")
        for _ in range(3):
            loop_invariant(("number",), make)
        with loop_invariants():  # a loop inside the loop
            loop_invariant(("number",), make)
        loop_invariant(("number",), make)
    assert len(made) == 2
    kernel.assign(2 * KERNEL)  # as training does between two searches
    np.testing.assert_array_equal(cast_once(kernel, "float32"), 2 * KERNEL)
