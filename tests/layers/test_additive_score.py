import numpy as np
import pytest

from tests import twins
from tfnmt.layers.additive_score import AdditiveScore

QUERIES = np.random.default_rng(1).normal(size=[2, 3, 4]).astype("float32")
ANNOTATIONS = np.random.default_rng(2).normal(size=[2, 5, 6]).astype("float32")


@pytest.fixture
def score() -> AdditiveScore:
    score = AdditiveScore(7)
    score.build(QUERIES.shape, ANNOTATIONS.shape)
    twins.randomize(score)
    return score


def test_equals_the_equation(score: AdditiveScore) -> None:
    letters = twins.letters_of_score(score)
    expected = [
        [[twins.additive_score(letters, s, h) for h in ANNOTATIONS[row]] for s in QUERIES[row]] for row in range(2)
    ]
    np.testing.assert_allclose(score(QUERIES, ANNOTATIONS), expected, atol=1e-6)


def test_projects_the_annotations_once_a_sentence(score: AdditiveScore) -> None:
    keys = score.keys(ANNOTATIONS)
    np.testing.assert_allclose(keys, ANNOTATIONS @ score.annotation_kernel.numpy(), atol=1e-6)


def test_starts_as_in_the_paper() -> None:
    score = AdditiveScore(300)
    score.build((None, None, 200), (None, None, 400))
    letters = twins.letters_of_score(score)
    for name in ("W_a", "U_a"):
        assert np.std(letters[name]) == pytest.approx(0.001, rel=0.03)
    np.testing.assert_array_equal(letters["v_a"], np.zeros(300))
    assert not np.allclose(letters["W_a"], letters["U_a"][:, :200])
