import numpy as np
import pytest

from tests import transformer_twins
from tfnmt.layers.sinusoidal_positions import SinusoidalPositions


@pytest.mark.parametrize("size", [6, 5])
def test_equals_the_equations(size: int) -> None:
    vectors = np.random.default_rng(1).normal(size=[2, 40, size]).astype("float32")
    codes = [transformer_twins.position(pos, size) for pos in range(40)]
    np.testing.assert_allclose(SinusoidalPositions()(vectors), vectors + codes, atol=1e-5)


def test_a_vector_can_be_anywhere() -> None:
    vectors = np.zeros([3, 4], "float32")
    expected = [transformer_twins.position(pos, 4) for pos in (7, 0, 300)]
    np.testing.assert_allclose(SinusoidalPositions()(vectors, np.array([7, 0, 300])), expected, atol=1e-4)


def test_wavelengths_go_from_2_pi_to_10000_times_that() -> None:
    code = SinusoidalPositions()(np.zeros([1, 512], "float32"), np.array([1]))[0].numpy()
    assert np.arcsin(code[0]) == pytest.approx(1, rel=1e-5)
    assert 1 / np.arcsin(code[510]) == pytest.approx(10_000 ** (510 / 512), rel=1e-3)
