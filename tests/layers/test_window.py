import numpy as np
import pytest

from tests import luong_twins
from tests.layers.compared import LENGTHS, NUMBERS, QUERIES, assert_uniform, built
from tfnmt.layers.products import Products
from tfnmt.layers.window import MonotonicWindow, PredictiveWindow, Window

WINDOWS = {"local-m": MonotonicWindow, "local-p": lambda: PredictiveWindow(6)}


def centres(window: Window) -> np.ndarray:
    return window.centre(Products())(QUERIES, NUMBERS, np.array(LENGTHS)).numpy()


@pytest.mark.parametrize("kind", WINDOWS)
def test_the_middle_is_that_of_the_equations(kind: str) -> None:
    """The twin counts words from 1, the layer from 0."""
    window = built(WINDOWS[kind](), QUERIES.shape)
    letters, middle = luong_twins.letters_of_window(window), luong_twins.MIDDLES[type(window)]
    expected = [
        [middle(letters, h, number + 1, length) - 1 for h, number in zip(queries, numbers, strict=True)]
        for queries, numbers, length in zip(QUERIES, NUMBERS, LENGTHS, strict=True)
    ]
    np.testing.assert_allclose(centres(window), expected, atol=1e-5)


def test_local_m_goes_in_step_and_stays_at_the_last_word() -> None:
    np.testing.assert_array_equal(centres(built(MonotonicWindow(), QUERIES.shape)), [[0, 6], [1, 1], [0, 0]])


def test_local_p_reaches_from_the_first_word_to_the_end() -> None:
    window = built(PredictiveWindow(6), QUERIES.shape)
    assert np.all((centres(window) > 0) & (centres(window) < np.array(LENGTHS)[:, None]))
    window.vector.assign(np.zeros([6, 1]))
    np.testing.assert_array_equal(centres(window), np.repeat(np.array(LENGTHS)[:, None] / 2, 2, axis=1))


def test_emphasis_is_a_gaussian_of_half_the_half_width() -> None:
    distance = np.array([-10, -5, 0, 2.5, 5, 10], "float32")
    expected = np.exp([-2, -0.5, 0, -0.125, -0.5, -2])  # D = 10, sigma = 5
    np.testing.assert_allclose(PredictiveWindow(6).emphasis(distance, 10), expected, rtol=1e-6)
    np.testing.assert_array_equal(MonotonicWindow().emphasis(distance, 10), np.ones(6))


def test_starts_as_in_the_paper() -> None:
    window = PredictiveWindow(5000)
    window.build((None, None, 20))
    assert_uniform(window.kernel)
    assert_uniform(window.vector)
