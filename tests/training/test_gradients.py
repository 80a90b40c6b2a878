"""Gradients before they are applied."""

from __future__ import annotations

import math

import numpy as np
import pytest
import tensorflow as tf

from tfnmt.training.gradients import clip_factor, dense, distinct_rows, scaled


def test_repeated_rows_are_summed_before_the_norm() -> None:
    table = tf.Variable(tf.zeros([4, 2]))
    rows = tf.IndexedSlices(
        tf.constant([[3.0, 0.0], [1.0, 1.0], [1.0, 0.0]]), tf.constant([2, 0, 2]), tf.constant([4, 2])
    )
    np.testing.assert_array_equal(dense(rows, table), [[1, 1], [0, 0], [4, 0], [0, 0]])
    assert float(tf.linalg.global_norm([dense(rows, table)])) == pytest.approx(math.sqrt(18))


def test_rows_stay_rows_with_each_of_them_once() -> None:
    rows = tf.IndexedSlices(
        tf.constant([[3.0, 0.0], [1.0, 1.0], [1.0, 0.0]]), tf.constant([2, 0, 2]), tf.constant([4, 2])
    )
    summed = distinct_rows(rows)
    np.testing.assert_array_equal(summed.indices, [2, 0])
    np.testing.assert_array_equal(summed.values, [[4, 0], [1, 1]])
    assert float(tf.linalg.global_norm([summed])) == pytest.approx(math.sqrt(18))
    half = scaled(summed, tf.constant(0.5))
    np.testing.assert_array_equal(tf.convert_to_tensor(half), [[0.5, 0.5], [0, 0], [2, 0], [0, 0]])


def test_a_weight_without_gradient_does_not_move() -> None:
    np.testing.assert_array_equal(dense(None, tf.Variable(tf.ones([2]))), [0, 0])


@pytest.mark.parametrize(
    ("norm", "limit", "factor"), [(4.0, 1.0, 0.25), (0.5, 1.0, 1.0), (7.0, None, 1.0), (0.0, 1.0, 1.0)]
)
def test_a_norm_is_cut_to_the_limit(norm: float, limit: float | None, factor: float) -> None:
    assert float(clip_factor(tf.constant(norm), limit)) == factor


@pytest.mark.parametrize("norm", [math.nan, math.inf])
def test_a_norm_that_is_not_finite_is_not_hidden(norm: float) -> None:
    assert float(clip_factor(tf.constant(norm), 1.0)) != 1.0
