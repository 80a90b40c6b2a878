import numpy as np
import pytest

from tests.layers.compared import ANNOTATIONS, QUERIES, assert_uniform, built, expected_scores
from tfnmt.layers.concat_score import ConcatScore


@pytest.mark.parametrize(
    "options", [{}, {"identity": False}, {"identity": False, "units": 9}], ids=["as run", "as printed", "of any size"]
)
def test_equals_the_equation(options: dict[str, int]) -> None:
    score = built(ConcatScore(**options))
    np.testing.assert_allclose(score(QUERIES, ANNOTATIONS), expected_scores(score), atol=1e-5)
    assert score.vector.shape == (options.get("units", 4), 1)


def test_as_run_the_half_of_the_annotation_is_the_identity() -> None:
    run, printed = built(ConcatScore()), built(ConcatScore(identity=False))
    assert [weight.name for weight in run.weights] == ["query_kernel", "vector"]
    for name in ("query_kernel", "vector"):
        getattr(printed, name).assign(getattr(run, name))
    expected = run(QUERIES, ANNOTATIONS)
    assert np.max(np.abs(printed(QUERIES, ANNOTATIONS) - expected)) > 0.1
    printed.annotation_kernel.assign(np.eye(4))
    np.testing.assert_allclose(printed(QUERIES, ANNOTATIONS), expected, atol=1e-6)


def test_the_identity_has_one_size() -> None:
    with pytest.raises(ValueError, match="as many units as an annotation, 4, not 9"):
        built(ConcatScore(units=9))


def test_starts_as_in_the_paper() -> None:
    score = ConcatScore(identity=False, units=5000)
    score.build((None, None, 20), (None, None, 20))
    for weight in score.weights:
        assert_uniform(weight)
    assert not np.allclose(score.query_kernel, score.annotation_kernel)
