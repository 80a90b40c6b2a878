import numpy as np
import pytest

from tests import twins, value_twins
from tfnmt.layers.comparison import Comparison
from tfnmt.layers.context_coverage import ContextCoverage
from tfnmt.layers.semantic_matching import SemanticMatching

RANDOM = np.random.default_rng(0)
FIRST, SECOND = RANDOM.normal(size=(3, 4)).astype("float32"), RANDOM.normal(size=(3, 5)).astype("float32")


@pytest.mark.parametrize("kind", [SemanticMatching, ContextCoverage])
def test_both_modules_equal_the_equation(kind: type[Comparison]) -> None:
    layer = kind(6)
    layer.build((None, 4), (None, 5))
    twins.randomize(layer)
    letters = value_twins.letters_of_module(layer)
    expected = [value_twins.module(letters, a, b) for a, b in zip(FIRST, SECOND, strict=True)]
    np.testing.assert_allclose(layer(FIRST, SECOND), expected, atol=1e-6)


def test_the_halves_start_independent_even_with_one_seed() -> None:
    layer = SemanticMatching(6, kernel_initializer={"class_name": "RandomNormal", "config": {"seed": 1}})
    layer.build((None, 4), (None, 4))
    assert np.max(np.abs(layer.kernels[0] - layer.kernels[1])) > 0.01
