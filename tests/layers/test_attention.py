import itertools
from collections.abc import Callable

import numpy as np
import pytest

from tests import luong_twins
from tests.layers.compared import ANNOTATIONS, LENGTHS, MASK, NUMBERS, QUERIES, built
from tfnmt.layers.attention import Attention
from tfnmt.layers.concat_score import ConcatScore
from tfnmt.layers.dot_score import DotScore
from tfnmt.layers.general_score import GeneralScore
from tfnmt.layers.global_attention import GlobalAttention
from tfnmt.layers.local_attention import LocalAttention
from tfnmt.layers.location_score import LocationScore
from tfnmt.layers.scaled_dot_score import ScaledDotScore
from tfnmt.layers.score import Score
from tfnmt.layers.window import MonotonicWindow, PredictiveWindow

SCORES: dict[str, Callable[[], Score]] = {
    "dot": DotScore,
    "scaled dot": ScaledDotScore,
    "general": GeneralScore,
    "concat": ConcatScore,
    "concat as printed": lambda: ConcatScore(identity=False),
    "location": lambda: LocationScore(5),  # shorter than the longest source
}
WINDOWS: dict[str, Callable[[Score], Attention]] = {
    "global": GlobalAttention,
    "local-m": lambda score: LocalAttention(score, MonotonicWindow(), half_width=1),
    "local-p": lambda score: LocalAttention(score, PredictiveWindow(6), half_width=2),
}
ALL = pytest.mark.parametrize(("score", "window"), list(itertools.product(SCORES, WINDOWS)))


def attention(score: str, window: str) -> Attention:
    return built(WINDOWS[window](SCORES[score]()))


@ALL
def test_every_score_goes_with_every_window(score: str, window: str) -> None:
    layer = attention(score, window)
    contexts, weights = layer(QUERIES, ANNOTATIONS, MASK, NUMBERS)
    letters, looking = luong_twins.letters_of_attention(layer), luong_twins.looking_of(layer)
    for row, length in enumerate(LENGTHS):
        for hypothesis in range(2):
            c_t, a_t = luong_twins.attention(
                letters, looking, QUERIES[row, hypothesis], ANNOTATIONS[row, :length], NUMBERS[row, hypothesis] + 1
            )
            np.testing.assert_allclose(contexts[row, hypothesis], c_t, atol=1e-5)
            np.testing.assert_allclose(weights[row, hypothesis, :length], a_t, atol=1e-5)
            np.testing.assert_array_equal(weights[row, hypothesis, :length] == 0, a_t == 0)
            np.testing.assert_array_equal(weights[row, hypothesis, length:], 0)  # C24


def test_all_of_them_are_different() -> None:
    contexts = [
        attention(score, window)(QUERIES, ANNOTATIONS, MASK, NUMBERS)[0]
        for score, window in itertools.product(SCORES, WINDOWS)
    ]
    for one, other in itertools.combinations(contexts, 2):
        assert np.max(np.abs(one - other)) > 0.01


@pytest.mark.parametrize("window", WINDOWS)
def test_without_numbers_the_first_word_is_to_be_predicted_and_without_a_mask_all_is_real(window: str) -> None:
    layer = attention("general", window)
    everywhere, first = np.ones_like(MASK), np.zeros_like(NUMBERS)
    for found, expected in zip(
        layer(QUERIES, ANNOTATIONS), layer(QUERIES, ANNOTATIONS, everywhere, first), strict=True
    ):
        np.testing.assert_array_equal(found, expected)
