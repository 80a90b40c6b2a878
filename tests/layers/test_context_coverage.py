import numpy as np

from tests.layers.test_comparison import FIRST, SECOND
from tfnmt.layers.context_coverage import ContextCoverage


def test_it_compares_contexts_with_annotations() -> None:
    layer = ContextCoverage(6)
    found = layer(contexts=FIRST, annotations=SECOND)
    assert found.shape == (3, 6)
    assert [weight.path.rpartition("/")[2] for weight in layer.weights] == [
        "contexts_kernel", "annotations_kernel", "bias",
    ]  # fmt: skip
    assert np.max(np.abs(found - layer(contexts=-FIRST, annotations=SECOND))) > 0.1
