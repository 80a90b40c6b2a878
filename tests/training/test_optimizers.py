"""The optimizers against the papers' equations, and against Keras's composed ones."""

from __future__ import annotations

from collections.abc import Callable

import keras
import numpy as np
import pytest
import tensorflow as tf

from tfnmt.training.optimizers import SGD, Adadelta, Adagrad, Adam, KernelOptimizer

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
        (lambda: SGD(0.1, 0.9), lambda: keras.optimizers.SGD(0.1, 0.9)),
        (lambda: SGD(0.1, 0.9, nesterov=True), lambda: keras.optimizers.SGD(0.1, 0.9, nesterov=True)),
        (lambda: Adagrad(0.1), lambda: keras.optimizers.Adagrad(0.1)),
        (
            lambda: Adam(keras.optimizers.schedules.CosineDecay(**DECAY)),
            lambda: keras.optimizers.Adam(keras.optimizers.schedules.CosineDecay(**DECAY)),
        ),
    ],
    ids=["Adam", "Adam as for the Transformer", "Adadelta", "SGD", "momentum", "Nesterov", "Adagrad", "a schedule"],
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


@pytest.mark.parametrize(
    "optimizer",
    [
        Adam(0.02, 0.8, 0.9, 1e-8, lazy=True),
        Adadelta(0.5, 0.9, 1e-5, lazy=True),
        Adagrad(0.3, 0.2, 1e-5),
        SGD(0.3, 0.8, True, True),
    ],
)
def test_keras_serializes_them(optimizer: KernelOptimizer) -> None:  # C74
    copy = keras.optimizers.deserialize(keras.optimizers.serialize(optimizer))
    assert type(copy) is type(optimizer)
    assert copy.get_config() == optimizer.get_config()


def test_one_gradient_a_variable_is_demanded() -> None:
    with pytest.raises(ValueError, match="1 gradients for 2 variables"):
        SGD(0.1).apply([tf.zeros([2])], [keras.Variable(np.zeros(2)), keras.Variable(np.zeros(2))])


# The papers' rules in NumPy: (gradient, slots, number of the update) -> (what is added to the weight, new slots).


def momentum(g: np.ndarray, slots: list[np.ndarray], t: int) -> tuple[np.ndarray, list[np.ndarray]]:
    velocity = 0.9 * slots[0] - 0.1 * g
    return velocity, [velocity]


def adagrad(g: np.ndarray, slots: list[np.ndarray], t: int) -> tuple[np.ndarray, list[np.ndarray]]:
    squares = slots[0] + g**2
    return -0.1 * g / np.sqrt(squares), [squares]


def adadelta(g: np.ndarray, slots: list[np.ndarray], t: int) -> tuple[np.ndarray, list[np.ndarray]]:
    squares = 0.95 * slots[0] + 0.05 * g**2
    step = -np.sqrt((slots[1] + 1e-6) / (squares + 1e-6)) * g
    return step, [squares, 0.95 * slots[1] + 0.05 * step**2]


def adam(g: np.ndarray, slots: list[np.ndarray], t: int) -> tuple[np.ndarray, list[np.ndarray]]:
    mean, square = 0.9 * slots[0] + 0.1 * g, 0.98 * slots[1] + 0.02 * g**2
    return -0.1 * (mean / (1 - 0.9**t)) / (np.sqrt(square / (1 - 0.98**t)) + 1e-9), [mean, square]


@pytest.mark.parametrize(
    ("optimizer", "start_of_slots", "rule"),
    [
        (SGD(0.1), [], lambda g, slots, t: (-0.1 * g, [])),
        (SGD(0.1, 0.9, lazy=True), [0.0], momentum),
        (Adagrad(0.1), [0.1], adagrad),
        (Adadelta(lazy=True), [0.0, 0.0], adadelta),
        (Adam(0.1, 0.9, 0.98, 1e-9, lazy=True), [0.0, 0.0], adam),
    ],
    ids=["SGD", "momentum", "Adagrad", "Adadelta", "Adam"],
)
def test_rows_follow_the_rule_and_all_others_stay(
    optimizer: KernelOptimizer,
    start_of_slots: list[float],
    rule: Callable[..., tuple[np.ndarray, list[np.ndarray]]],
) -> None:
    random = np.random.default_rng(11)
    expected = random.normal(size=[9, 3])
    slots = [np.full([9, 3], value) for value in start_of_slots]
    table = keras.Variable(expected.astype(np.float32))
    for update in range(1, 6):
        rows = random.choice(8, size=4, replace=False)  # row 8 is never touched
        gradient = random.normal(size=[4, 3])
        step, of_rows = rule(gradient, [slot[rows] for slot in slots], update)
        expected[rows] += step
        for slot, values in zip(slots, of_rows, strict=True):
            slot[rows] = values
        optimizer.apply([tf.IndexedSlices(tf.constant(gradient, tf.float32), rows, [9, 3])], [table])
    np.testing.assert_allclose(table.numpy(), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("optimizer", [Adam(0.1), Adadelta(), SGD(0.1, 0.9)])
def test_rows_are_made_dense_where_the_rule_decays_all_rows_unless_the_variable_asks(
    optimizer: KernelOptimizer,
) -> None:
    table, lazy, whole = (keras.Variable(np.ones([4, 2], np.float32)) for _ in range(3))
    lazy.lazy_rows = True
    optimizer.build([table, lazy, whole])
    first, second = (tf.IndexedSlices(tf.ones([1, 2]), [row], [4, 2]) for row in (1, 2))
    for rows in (first, second):
        optimizer.apply([rows, rows, tf.convert_to_tensor(rows)])
    np.testing.assert_array_equal(table.numpy(), whole.numpy())
    slot_of_table, slot_of_lazy = (optimizer._values_of_slots[0][number].numpy()[1, 0] for number in (0, 1))
    assert slot_of_lazy != slot_of_table  # decayed once less


@pytest.mark.parametrize("made", [Adam, Adadelta, lambda: SGD(0.1, 0.9)])
def test_some_of_the_variables_may_be_updated_alone(made: Callable[[], KernelOptimizer]) -> None:
    """As the parts of one task of several are: each variable keeps its own slots, and the others do not move."""
    first, second = (keras.Variable(np.ones([2, 3], np.float32)) for _ in range(2))
    optimizer = made()
    optimizer.build([first, second])
    for _ in range(3):
        optimizer.apply([np.full([2, 3], 2.0, np.float32)], [second])
    np.testing.assert_array_equal(first, np.ones([2, 3]))
    alone = keras.Variable(np.ones([2, 3], np.float32))
    expected = made()
    for _ in range(3):
        expected.apply([np.full([2, 3], 2.0, np.float32)], [alone])
    np.testing.assert_array_equal(second, alone)
