import numpy as np

from tests import transformer_twins, twins
from tfnmt.layers.feed_forward import FeedForward


def test_equals_the_equation_at_each_position() -> None:
    inputs = np.random.default_rng(1).normal(size=[2, 3, 4]).astype("float32")
    layer = FeedForward(7)
    layer.build(inputs.shape)
    twins.randomize(layer)
    letters = transformer_twins.letters_of_feed_forward(layer)
    expected = [[transformer_twins.feed_forward(letters, x) for x in row] for row in inputs]
    np.testing.assert_allclose(layer(inputs), expected, atol=1e-5)
