import keras
import numpy as np
import pytest
import tensorflow as tf

from tests import twins
from tfnmt.layers.gated_unit import GatedUnit

BATCH, TIME, FEATURES, UNITS = 3, 5, 4, 6


@pytest.fixture
def unit() -> GatedUnit:
    unit = GatedUnit(UNITS)
    unit.build((None, FEATURES))
    twins.randomize(unit)
    return unit


def random(*shape: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype("float32")


def test_one_step_equals_the_equations(unit: GatedUnit) -> None:
    inputs, state = random(BATCH, FEATURES), random(BATCH, UNITS, seed=2)
    output, (new_state,) = unit(inputs, [state])
    letters = twins.letters_of_unit(unit)
    expected = [twins.gated_unit(letters, x, h) for x, h in zip(inputs, state, strict=True)]
    np.testing.assert_allclose(output, expected, atol=1e-6)
    np.testing.assert_array_equal(output, new_state)


def keras_cell(unit: GatedUnit, reset_after: bool) -> keras.layers.GRUCell:
    """Keras's cell with the same weights; its update gate keeps the *old* state, so the signs of `W_z`, `U_z` turn."""
    cell = keras.layers.GRUCell(UNITS, reset_after=reset_after)
    cell.build((None, FEATURES))
    signs = np.repeat([-1.0, 1.0, 1.0], UNITS)
    cell.kernel.assign(unit.kernel.numpy() * signs)
    cell.recurrent_kernel.assign(
        np.concatenate([unit.gate_kernel.numpy(), unit.candidate_kernel.numpy()], axis=1) * signs
    )
    bias = np.concatenate([np.zeros(2 * UNITS), unit.bias.numpy()])
    cell.bias.assign(np.stack([bias, np.zeros_like(bias)]) if reset_after else bias)
    return cell


def test_is_not_the_cell_that_keras_has_by_default(unit: GatedUnit) -> None:
    inputs, state = random(BATCH, FEATURES), random(BATCH, UNITS, seed=2)
    output, _ = unit(inputs, [state])
    before, _ = keras_cell(unit, reset_after=False)(inputs, [state])
    after, _ = keras_cell(unit, reset_after=True)(inputs, [state])
    np.testing.assert_allclose(output, before, atol=1e-6)
    assert np.max(np.abs(output - after)) > 0.01


@pytest.mark.parametrize("backwards", [False, True])
def test_works_as_a_cell_in_keras_with_a_mask(unit: GatedUnit, backwards: bool) -> None:
    inputs, lengths = random(BATCH, TIME, FEATURES), [5, 2, 1]
    mask = tf.sequence_mask(lengths, TIME)
    states = keras.layers.RNN(unit, return_sequences=True, go_backwards=backwards)(inputs, mask=mask).numpy()
    letters = twins.letters_of_unit(unit)
    for row, length in enumerate(lengths):
        vectors = inputs[row, :length]
        expected = twins.run(letters, vectors[::-1] if backwards else vectors)
        found = states[row, TIME - length :] if backwards else states[row, :length]
        np.testing.assert_allclose(found, expected, atol=1e-5)


def test_project_adds_the_bias_to_the_candidate_only(unit: GatedUnit) -> None:
    projected = unit.project(np.zeros([1, FEATURES], "float32"))[0]
    np.testing.assert_array_equal(projected[: 2 * UNITS], np.zeros(2 * UNITS))
    np.testing.assert_array_equal(projected[2 * UNITS :], unit.bias)


def test_starts_as_in_the_paper() -> None:
    unit = GatedUnit(60)
    unit.build((None, 500))
    letters = twins.letters_of_unit(unit)
    for name in ("U_z", "U_r", "U"):
        np.testing.assert_allclose(letters[name] @ letters[name].T, np.eye(60), atol=1e-5)
    for name in ("W_z", "W_r", "W"):
        assert np.std(letters[name]) == pytest.approx(0.01, rel=0.05)
        assert abs(np.mean(letters[name])) < 3e-4
    np.testing.assert_array_equal(letters["b"], np.zeros(60))
    assert not np.allclose(letters["U_z"], letters["U_r"])
    assert not np.allclose(letters["W_z"], letters["W_r"])


def test_state_starts_at_zero(unit: GatedUnit) -> None:
    (state,) = unit.get_initial_state(batch_size=2)
    np.testing.assert_array_equal(state, np.zeros([2, UNITS]))
