from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tests import luong_twins, twins
from tests.layers.compared import ANNOTATIONS, LENGTHS, MASK, NUMBERS, QUERIES, built
from tfnmt.layers.dot_score import DotScore
from tfnmt.layers.general_score import GeneralScore
from tfnmt.layers.global_attention import GlobalAttention
from tfnmt.layers.local_attention import LocalAttention
from tfnmt.layers.products import Products
from tfnmt.layers.score import ScoreFunction
from tfnmt.layers.window import MonotonicWindow, PredictiveWindow, Window

WINDOWS: dict[str, Callable[[], Window]] = {"local-m": MonotonicWindow, "local-p": lambda: PredictiveWindow(6)}
EACH_WINDOW = pytest.mark.parametrize("window", WINDOWS)


def local(window: str, half_width: int) -> LocalAttention:
    return built(LocalAttention(GeneralScore(), WINDOWS[window](), half_width))


def everywhere(layer: LocalAttention) -> GlobalAttention:
    """Global attention with the same score."""
    return GlobalAttention(layer.score)


# Sentences shorter than half a window, than a window, and longer, with their ends inside and outside.
EDGES = [1, 2, 10, 11, 21, 22]
EDGE_MASK = np.arange(22) < np.array(EDGES)[:, None]
EDGE_QUERIES = np.abs(np.random.default_rng(3).normal(size=[6, 1, 4])).astype("float32") + 1
EDGE_ANNOTATIONS = np.random.default_rng(4).normal(size=[6, 22, 4]).astype("float32")


@pytest.mark.parametrize("end", ["first", "last"])
@EACH_WINDOW
def test_at_the_ends_of_sentences_of_every_length(window: str, end: str) -> None:  # C40
    layer = local(window, 10)
    last = np.array(EDGES)
    numbers = np.zeros([6, 1], "int32") if end == "first" else last[:, None].astype("int32")
    if window == "local-p":  # p_t is exactly 0 or exactly S, one behind the last word
        layer.window.kernel.assign(np.full([4, 6], 100.0))
        layer.window.vector.assign(np.full([6, 1], -100.0 if end == "first" else 100.0))
    centre = {"first": 0 * last, "last": last if window == "local-p" else last - 1}[end][:, None]
    contexts, weights = (tensor[:, 0].numpy() for tensor in layer(EDGE_QUERIES, EDGE_ANNOTATIONS, EDGE_MASK, numbers))
    distance = np.arange(22) - centre
    np.testing.assert_array_equal(weights > 0, (np.abs(distance) <= 10) & EDGE_MASK)
    gaussian = np.exp(-(distance**2) / 50) if window == "local-p" else np.ones([6, 22])
    np.testing.assert_allclose(np.sum(weights / gaussian, axis=-1), 1, atol=1e-5)
    np.testing.assert_allclose(contexts, np.einsum("bs,bsa->ba", weights, EDGE_ANNOTATIONS), atol=1e-5)
    covered = last <= 11 if window == "local-m" or end == "first" else last <= 10
    expected = everywhere(layer)(EDGE_QUERIES, EDGE_ANNOTATIONS, EDGE_MASK)[1][:, 0]
    np.testing.assert_allclose((weights / gaussian)[covered], expected[covered], atol=1e-5)


def test_a_window_that_covers_the_sentence_is_global_attention() -> None:  # K9
    layer = local("local-m", 6)
    for found, expected in zip(
        layer(QUERIES, ANNOTATIONS, MASK, NUMBERS), everywhere(layer)(QUERIES, ANNOTATIONS, MASK), strict=True
    ):
        np.testing.assert_allclose(found, expected, atol=1e-6)


@pytest.mark.parametrize("half_width", [7, 20_000])
def test_a_predicted_window_that_covers_the_sentence_is_global_attention_times_the_gaussian(half_width: int) -> None:
    layer = local("local-p", half_width)  # K9
    contexts, weights = layer(QUERIES, ANNOTATIONS, MASK)
    expected_contexts, expected = everywhere(layer)(QUERIES, ANNOTATIONS, MASK)
    centres = layer.window.centre(Products())(QUERIES, NUMBERS, np.array(LENGTHS))
    gaussian = np.exp(-2 * ((np.arange(7) - centres[..., None]) / half_width) ** 2)
    np.testing.assert_allclose(weights, gaussian * expected, atol=1e-6)
    flat = half_width == 20_000  # a Gaussian so wide is 1
    assert np.allclose(contexts, expected_contexts, atol=1e-5) == flat
    assert np.allclose(np.sum(weights, axis=-1), 1, atol=1e-5) == flat  # never normalised again
    assert np.all(np.sum(weights, axis=-1) < 1 + 1e-6)


def test_gradient_of_the_predicted_position_equals_finite_differences() -> None:  # K10
    """It comes through the Gaussian alone: within a step of the floor, the set of words is constant."""
    layer = local("local-p", 2)
    with tf.GradientTape() as tape:
        tape.watch([layer.window.kernel.value, layer.window.vector.value])
        contexts, _ = layer(QUERIES, ANNOTATIONS, MASK)
        total = tf.reduce_sum(contexts**2)
    gradients = tape.gradient(total, {"W_p": layer.window.kernel.value, "v_p": layer.window.vector.value})
    letters, looking = luong_twins.letters_of_attention(layer), luong_twins.looking_of(layer)

    def twin() -> float:
        return sum(
            np.sum(luong_twins.attention(letters, looking, h, ANNOTATIONS[row, :length], 1)[0] ** 2)
            for row, length in enumerate(LENGTHS)
            for h in QUERIES[row].astype("float64")
        )

    assert float(total) == pytest.approx(twin(), rel=1e-5)
    for name, gradient in gradients.items():
        letter, found = letters["window"][name], gradient.numpy().T.reshape(letters["window"][name].shape)
        expected = np.zeros_like(letter)
        for place in np.ndindex(*letter.shape):
            values = []
            for step in (1e-6, -2e-6):
                letter[place] += step
                values.append(twin())
            letter[place] += 1e-6
            expected[place] = (values[0] - values[1]) / 2e-6
        np.testing.assert_allclose(found, expected, atol=1e-4 * np.max(np.abs(expected)))
        assert np.max(np.abs(expected)) > 0.01


class WatchedScore(DotScore):
    def in_loop(self, products: Products) -> ScoreFunction:
        score = super().in_loop(products)

        def watched(queries: tf.Tensor, keys: Any) -> tf.Tensor:
            self.compared = keys.shape[1]
            return score(queries, keys)

        return watched


@EACH_WINDOW
def test_only_the_window_is_compared_whatever_the_length(window: str) -> None:
    layer = built(LocalAttention(WatchedScore(), WINDOWS[window](), half_width=2))
    layer(QUERIES, np.zeros([3, 500, 4], "float32"))
    assert layer.score.compared == 5


@EACH_WINDOW
def test_hypotheses_of_a_sentence_do_not_see_each_other(window: str) -> None:
    layer = local(window, 2)
    contexts, weights = layer(QUERIES, ANNOTATIONS, MASK, NUMBERS)
    for hypothesis in range(2):
        alone = layer(QUERIES[:, [hypothesis]], ANNOTATIONS, MASK, NUMBERS[:, [hypothesis]])
        np.testing.assert_allclose(contexts[:, hypothesis], alone[0][:, 0], atol=1e-6)
        np.testing.assert_allclose(weights[:, hypothesis], alone[1][:, 0], atol=1e-6)


@EACH_WINDOW
def test_a_sentence_without_a_word_gives_zeros_and_finite_gradients(window: str) -> None:
    layer = local(window, 2)
    with tf.GradientTape() as tape:
        contexts, weights = layer(QUERIES, ANNOTATIONS, np.zeros_like(MASK), NUMBERS)
        total = tf.reduce_sum(contexts)
    np.testing.assert_array_equal(contexts, np.zeros([3, 2, 4]))
    np.testing.assert_array_equal(weights, np.zeros([3, 2, 7]))
    for gradient in tape.gradient(total, [weight.value for weight in layer.trainable_variables]):
        assert np.all(np.isfinite(gradient))


def test_padding_is_not_seen() -> None:  # C24
    layer = local("local-p", 10)
    twins.randomize(layer.window, scale=3)
    other = np.where(MASK[..., None], ANNOTATIONS, 1e4).astype("float32")
    for found, expected in zip(layer(QUERIES, other, MASK), layer(QUERIES, ANNOTATIONS, MASK), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_a_window_of_no_width_is_refused() -> None:
    with pytest.raises(ValueError, match="1 position at least to each side of its middle, not 0"):
        LocalAttention(DotScore(), PredictiveWindow(6), half_width=0)
