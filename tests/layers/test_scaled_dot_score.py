import numpy as np

from tests.layers.compared import ANNOTATIONS, QUERIES, built, expected_scores
from tfnmt.layers.dot_score import DotScore
from tfnmt.layers.scaled_dot_score import ScaledDotScore


def test_equals_the_equation() -> None:
    score = built(ScaledDotScore())
    found = score(QUERIES, ANNOTATIONS).numpy()
    np.testing.assert_allclose(found, expected_scores(score), atol=1e-5)
    assert np.max(np.abs(found - DotScore()(QUERIES, ANNOTATIONS))) > 0.1


def test_scores_of_long_vectors_are_no_larger() -> None:
    random = np.random.default_rng(3)
    spread = []
    for size in (4, 1024):
        queries, annotations = (random.normal(size=[50, 20, size]).astype("float32") for _ in range(2))
        spread.append(np.std(ScaledDotScore()(queries, annotations)))
    np.testing.assert_allclose(spread, 1.0, rtol=0.05)
