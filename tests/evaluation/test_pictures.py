from __future__ import annotations

import io
import warnings

import matplotlib.image
import numpy as np
import pytest
from matplotlib.patches import Rectangle

from tfnmt.errors import UserError
from tfnmt.evaluation.lengths import LengthGroup
from tfnmt.evaluation.links import parse_gold
from tfnmt.evaluation.metrics import Score
from tfnmt.evaluation.pictures import attention_heads, attention_matrix, bleu_by_length, learning_curves, to_png

WEIGHTS = np.array([[0.9, 0.1, 0.0], [0.2, 0.3, 0.5]])


def labels(ticks):
    return [tick.get_text() for tick in ticks]


# C71: source words across, target words down.
def test_attention_matrix_names_the_words_of_both_sides():
    axes = attention_matrix(["a", "b", "c"], ["x", "y"], WEIGHTS).axes[0]
    assert labels(axes.get_xticklabels()) == ["a", "b", "c"]
    assert labels(axes.get_yticklabels()) == ["x", "y"]
    image = axes.images[0]
    np.testing.assert_allclose(image.get_array(), WEIGHTS, rtol=1e-6)
    assert image.get_clim() == (0, 1) and image.get_cmap().name == "gray"


def test_attention_matrix_draws_high_weights_bright():
    png = to_png(attention_matrix(["a", "b"], ["x", "y"], np.eye(2)))
    pixels = matplotlib.image.imread(io.BytesIO(png), format="png")[..., 0]
    rows, columns = np.where(pixels < 0.02)  # the black cells: top right and bottom left of the matrix
    middle = (rows.min() + rows.max()) / 2, (columns.min() + columns.max()) / 2
    quarter = (rows.max() - rows.min()) // 4
    at = lambda down, across: pixels[int(middle[0] + down * quarter), int(middle[1] + across * quarter)]  # noqa: E731
    assert at(-1, -1) > 0.9 and at(1, 1) > 0.9
    assert at(-1, 1) < 0.1 and at(1, -1) < 0.1


def test_weights_of_the_end_symbol_are_named():
    axes = attention_matrix(["a", "b"], ["x"], WEIGHTS).axes[0]
    assert labels(axes.get_xticklabels())[-1] == labels(axes.get_yticklabels())[-1] == "⟨end⟩"


@pytest.mark.parametrize("shape", [(2, 2), (4, 3), (2, 5), (2,)])
def test_weights_that_do_not_fit_are_refused(shape):
    with pytest.raises(UserError, match="do not fit 2 target and 3 source words"):
        attention_matrix(["a", "b", "c"], ["x", "y"], np.zeros(shape))


# C71: labels in any script, with signs that mean something to matplotlib, or of absurd length.
@pytest.mark.parametrize("word", ["мир", "你好", "שלום", "😀", "$x_1$", "$", "\\frac", "", "\x00\u2028", "a" * 300])
def test_any_word_is_drawn_without_a_warning(word):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert to_png(attention_matrix([word], [word], [[1.0]], title=word)).startswith(b"\x89PNG")


def test_words_of_very_long_sentences_are_thinned_out():
    figure = attention_matrix([f"s{i}" for i in range(400)], ["x"], np.zeros((1, 400)))
    assert figure.get_size_inches().max() < 30
    named = labels(figure.axes[0].get_xticklabels())
    assert named[:2] == ["s0", "s2"] and len(named) == 200


def test_empty_sentences_have_a_picture():
    assert to_png(attention_matrix([], [], np.zeros((0, 0)))).startswith(b"\x89PNG")
    assert to_png(attention_matrix(["a"], [], np.zeros((1, 2)))).startswith(b"\x89PNG")


def test_gold_links_are_framed():
    axes = attention_matrix(["a", "b", "c"], ["x", "y"], WEIGHTS, gold=parse_gold("0-0 2?1")).axes[0]
    frames = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    assert [(frame.get_xy(), frame.get_linestyle()) for frame in frames] == [
        ((-0.5, -0.5), "solid"),
        ((1.5, 0.5), "dotted"),
    ]


def test_bleu_by_length_draws_every_system():
    groups = [LengthGroup(1, 10, 5, Score(30.0, "")), LengthGroup(11, 20, 5, Score(20.0, ""))]
    figure = bleu_by_length({"RNNsearch": groups, "RNNencdec": groups[:1]}, title="test")
    first, second = figure.axes[0].lines
    np.testing.assert_array_equal(first.get_xydata(), [[10, 30], [20, 20]])
    np.testing.assert_array_equal(second.get_xydata(), [[10, 30]])
    assert labels(figure.axes[0].get_legend().get_texts()) == ["RNNsearch", "RNNencdec"]
    assert figure.axes[0].get_ylim()[0] == 0


def test_learning_curves_draw_every_run():
    figure = learning_curves({"base": ([0, 100], [5.0, 2.0]), "$local$": ([0], [4.0])})
    assert labels(figure.axes[0].get_legend().get_texts()) == ["base", "$local$"]
    assert to_png(figure).startswith(b"\x89PNG")


def test_no_system_gives_an_empty_picture():
    assert to_png(bleu_by_length({})).startswith(b"\x89PNG")


def test_heads_stand_side_by_side_and_layers_below_each_other():
    weights = np.arange(2 * 3 * 2 * 3).reshape([2, 3, 2, 3]) / 36
    figure = attention_heads(["a", "b", "c"], ["x", "y"], weights, title="heads")
    assert len(figure.axes) == 2 * 3
    for number, axes in enumerate(figure.axes):
        np.testing.assert_allclose(axes.images[0].get_array(), weights.reshape([6, 2, 3])[number], rtol=1e-6)
        assert axes.get_xlabel() == f"layer {number // 3 + 1}, head {number % 3 + 1}"
    assert labels(figure.axes[0].get_xticklabels()) == ["a", "b", "c"]
    assert labels(figure.axes[3].get_yticklabels()) == ["x", "y"]
    assert labels(figure.axes[4].get_xticklabels()) == [""] * 3
    assert to_png(figure).startswith(b"\x89PNG")
    with pytest.raises(UserError, match=r"Expected \[layers, heads, target, source\]"):
        attention_heads(["a"], ["x", "y"], weights)
