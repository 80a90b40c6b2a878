import numpy as np
import pytest

from tests.layers.compared import ANNOTATIONS, QUERIES, built, expected_scores
from tfnmt.layers.dot_score import DotScore


def test_equals_the_equation() -> None:
    score = built(DotScore())
    np.testing.assert_allclose(score(QUERIES, ANNOTATIONS), expected_scores(score), atol=1e-5)
    assert score.count_params() == 0


def test_vectors_of_two_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="not queries of 4 with annotations of 6; GeneralScore compares any two"):
        DotScore().build((None, None, 4), (None, None, 6))
