import numpy as np

from tests.layers.test_comparison import FIRST, SECOND
from tfnmt.layers.semantic_matching import SemanticMatching


def test_it_compares_states_with_contexts() -> None:
    layer = SemanticMatching(6)
    found = layer(states=FIRST, contexts=SECOND)
    assert found.shape == (3, 6)
    assert [weight.shape for weight in layer.weights] == [(4, 6), (5, 6), (6,)]
    assert np.max(np.abs(found - layer(states=FIRST, contexts=-SECOND))) > 0.1
