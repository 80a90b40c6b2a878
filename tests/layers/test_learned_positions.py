import numpy as np

from tests import twins
from tfnmt.layers.learned_positions import LearnedPositions


def test_adds_a_vector_for_each_position_the_last_one_beyond_the_table() -> None:
    layer, vectors = LearnedPositions(3), np.random.default_rng(1).normal(size=[2, 5, 4]).astype("float32")
    layer.build(vectors.shape)
    twins.randomize(layer)
    table = layer.table.numpy()
    np.testing.assert_allclose(layer(vectors), vectors + table[[0, 1, 2, 2, 2]], atol=1e-6)


def test_starts_as_in_the_paper() -> None:
    layer = LearnedPositions()
    layer.build((None, None, 30))
    assert layer.table.shape == (1024, 30)
    np.testing.assert_allclose([np.min(layer.table), np.max(layer.table)], [-0.05, 0.05], atol=1e-4)
