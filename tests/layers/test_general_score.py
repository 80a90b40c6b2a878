import numpy as np

from tests.layers.compared import ANNOTATIONS, QUERIES, assert_uniform, built, expected_scores
from tfnmt.layers.dot_score import DotScore
from tfnmt.layers.general_score import GeneralScore


def test_equals_the_equation() -> None:
    longer = np.concatenate([ANNOTATIONS, ANNOTATIONS[..., :2]], axis=-1)  # of another size than the queries
    score = built(GeneralScore(), QUERIES.shape, longer.shape)
    np.testing.assert_allclose(score(QUERIES, longer), expected_scores(score, longer), atol=1e-5)


def test_with_the_identity_it_is_the_dot_score() -> None:  # K11
    score = built(GeneralScore())
    score.kernel.assign(np.eye(4))
    np.testing.assert_allclose(score(QUERIES, ANNOTATIONS), DotScore()(QUERIES, ANNOTATIONS), atol=1e-6)


def test_projects_the_annotations_once_a_sentence() -> None:
    score = built(GeneralScore())
    np.testing.assert_allclose(score.keys(ANNOTATIONS), ANNOTATIONS @ score.kernel.numpy(), atol=1e-6)


def test_starts_as_in_the_paper() -> None:
    score = GeneralScore()
    score.build((None, None, 60), (None, None, 60))
    assert_uniform(score.kernel)
