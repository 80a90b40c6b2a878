import numpy as np

from tests import twins
from tfnmt.layers.fixed_context import FixedContext

QUERIES = np.zeros([3, 2, 4], "float32")
ANNOTATIONS = np.random.default_rng(1).normal(size=[3, 5, 6]).astype("float32")
LENGTHS = [5, 2, 1]
MASK = np.arange(5) < np.array(LENGTHS)[:, None]


def test_gives_the_last_real_annotation_to_every_hypothesis() -> None:
    contexts, weights = FixedContext()(QUERIES, ANNOTATIONS, MASK)
    for row, length in enumerate(LENGTHS):
        context, expected = twins.fixed_context(QUERIES[row, 0], ANNOTATIONS[row, :length])
        for hypothesis in range(2):
            np.testing.assert_array_equal(contexts[row, hypothesis], context)
            np.testing.assert_array_equal(weights[row, hypothesis, :length], expected)
            np.testing.assert_array_equal(weights[row, hypothesis, length:], np.zeros(5 - length))


def test_without_a_mask_the_last_position_counts() -> None:
    contexts, _ = FixedContext()(QUERIES, ANNOTATIONS)
    np.testing.assert_array_equal(contexts[:, 0], ANNOTATIONS[:, -1])


def test_has_nothing_to_learn_or_to_project() -> None:
    layer = FixedContext()
    layer(QUERIES, ANNOTATIONS)
    assert layer.weights == []
    assert layer.keys(ANNOTATIONS) == ()
