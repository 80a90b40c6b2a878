import numpy as np
import pytest
import tensorflow as tf

from tfnmt.decoding.top_k import top_k

ANY = tf.TensorSpec([None, None])
_with_first = tf.function(top_k, input_signature=[ANY, ANY, tf.TensorSpec([], tf.int32), ANY])
_without = tf.function(lambda *given: top_k(*given), input_signature=[ANY, ANY, tf.TensorSpec([], tf.int32)])


def of_any_width(scores, offsets, k, first):
    """In a graph that does not know the sizes."""
    return _without(scores, offsets, k) if first is None else _with_first(scores, offsets, k, first)


@pytest.mark.parametrize(("groups", "rows", "columns"), [(1, 1, 1), (3, 1, 127), (2, 4, 128), (3, 5, 1000), (0, 2, 7)])
@pytest.mark.parametrize("k", [1, 5, 300])
@pytest.mark.parametrize("first", [0, 4])
@pytest.mark.parametrize("find", [top_k, of_any_width], ids=["eager", "of any width"])
def test_agrees_with_sorting(groups, rows, columns, k, first, find):
    random = np.random.default_rng(groups + columns)
    scores = random.normal(size=[groups * rows, columns]).astype(np.float32)
    offsets = random.normal(size=[groups, rows]).astype(np.float32) * 3
    given = tf.constant(scores)
    scores[:, :first] = random.normal(size=scores[:, :first].shape)
    best = find(given, tf.constant(offsets), tf.constant(k), tf.constant(scores[:, :first]) if first else None)
    totals = (scores.reshape(groups, rows, columns) + offsets[:, :, None]).reshape(groups, rows * columns)
    order = np.argsort(-totals, axis=1, kind="stable")[:, :k]
    np.testing.assert_allclose(best.values, np.take_along_axis(totals, order, axis=1))
    np.testing.assert_array_equal(best.rows * columns + best.columns, order)


def test_what_is_forbidden_comes_last():
    scores = np.array([[1, -np.inf, 3], [-np.inf] * 3], np.float32)
    best = top_k(tf.constant(scores), tf.constant([[0.0, -np.inf]]), tf.constant(6))
    np.testing.assert_array_equal(best.values, [[3, 1, *[-np.inf] * 4]])
    assert best.columns[0, :2].numpy().tolist() == [2, 0] and best.rows[0, :2].numpy().tolist() == [0, 0]
