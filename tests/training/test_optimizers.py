"""The optimizers against the papers' equations, and against Keras's composed ones."""

from __future__ import annotations

from collections.abc import Callable

import keras
import numpy as np
import pytest
import tensorflow as tf

from tfnmt.training.optimizers import SGD, Adadelta, Adam, KernelOptimizer

DECAY = {"initial_learning_rate": 0.0, "decay_steps": 100, "warmup_target": 0.1, "warmup_steps": 3}


def test_adadelta_is_the_paper_s_with_rate_1() -> None:
    """Zeiler (2012), algorithm 1, with rho 0.95 and epsilon 1e-6 as in Bahdanau et al. (2015), appendix B.2."""
    rho, epsilon = 0.95, 1e-6
    random = np.random.default_rng(3)
    expected = random.normal(size=[4, 3])
    weight = keras.Variable(expected.astype(np.float32))
    optimizer = Adadelta()

    squared_gradients = squared_updates = np.zeros([4, 3])
    for _ in range(20):
        gradient = random.normal(size=[4, 3]) * 10.0 ** random.integers(-3, 2)
        squared_gradients = rho * squared_gradients + (1 - rho) * gradient**2
        update = -np.sqrt(squared_updates + epsilon) / np.sqrt(squared_gradients + epsilon) * gradient
        squared_updates = rho * squared_updates + (1 - rho) * update**2
        expected = expected + update
        optimizer.apply([gradient.astype(np.float32)], [weight])
    np.testing.assert_allclose(weight.numpy(), expected, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize(
    "ours, theirs",
    [
        (lambda: Adam(0.01), lambda: keras.optimizers.Adam(0.01)),
        (lambda: Adam(0.01, 0.9, 0.98, 1e-9), lambda: keras.optimizers.Adam(0.01, 0.9, 0.98, 1e-9)),
        (lambda: Adadelta(), lambda: keras.optimizers.Adadelta(1.0, 0.95, 1e-6)),
        (lambda: SGD(0.1), lambda: keras.optimizers.SGD(0.1)),
        (
            lambda: Adam(keras.optimizers.schedules.CosineDecay(**DECAY)),
            lambda: keras.optimizers.Adam(keras.optimizers.schedules.CosineDecay(**DECAY)),
        ),
    ],
    ids=["Adam", "Adam as for the Transformer", "Adadelta", "SGD", "a schedule"],
)
def test_the_kernels_compute_what_keras_composes(
    ours: Callable[[], KernelOptimizer], theirs: Callable[[], keras.optimizers.Optimizer]
) -> None:
    random = np.random.default_rng(5)
    start = [random.normal(size=[5, 4]).astype("float32"), random.normal(size=[3]).astype("float32")]
    left, right = ([keras.Variable(value) for value in start] for _ in range(2))
    optimizer, reference = ours(), theirs()
    optimizer.build(left)

    @tf.function
    def apply(gradients: list[tf.Tensor]) -> None:
        optimizer.apply(gradients, left)

    for _ in range(8):
        gradients = [tf.constant(random.normal(size=value.shape).astype("float32")) for value in start]
        apply(gradients)
        reference.apply(gradients, right)
    assert int(optimizer.iterations.numpy()) == 8
    for mine, keras_s, value in zip(left, right, start, strict=True):
        assert np.abs(mine.numpy() - value).max() > 1e-3
        np.testing.assert_allclose(mine.numpy(), keras_s.numpy(), rtol=1e-4, atol=5e-6)


@pytest.mark.parametrize("optimizer", [Adam(0.02, 0.8, 0.9, 1e-8), Adadelta(0.5, 0.9, 1e-5), SGD(0.3)])
def test_keras_serializes_them(optimizer: KernelOptimizer) -> None:  # C74
    copy = keras.optimizers.deserialize(keras.optimizers.serialize(optimizer))
    assert type(copy) is type(optimizer)
    assert copy.get_config() == optimizer.get_config()


def test_one_gradient_a_variable_is_demanded() -> None:
    with pytest.raises(ValueError, match="1 gradients for 2 variables"):
        SGD(0.1).apply([tf.zeros([2])], [keras.Variable(np.zeros(2)), keras.Variable(np.zeros(2))])
