from collections.abc import Callable

import numpy as np
import pytest
import tensorflow as tf

from tests.layers.compared import ANNOTATIONS, QUERIES, built
from tfnmt.layers.additive_score import AdditiveScore
from tfnmt.layers.concat_score import ConcatScore
from tfnmt.layers.dot_score import DotScore
from tfnmt.layers.general_score import GeneralScore
from tfnmt.layers.location_score import LocationScore
from tfnmt.layers.products import Products
from tfnmt.layers.scaled_dot_score import ScaledDotScore
from tfnmt.layers.score import Score

SCORES: dict[str, Callable[[], Score]] = {
    "additive": lambda: AdditiveScore(6),
    "dot": DotScore,
    "scaled dot": ScaledDotScore,
    "general": GeneralScore,
    "concat": ConcatScore,
    "concat as printed": lambda: ConcatScore(identity=False),
    "location": lambda: LocationScore(5),
}
ALL_SCORES = pytest.mark.parametrize("kind", SCORES)


@ALL_SCORES
def test_keys_carry_everything_that_is_needed_of_a_position(kind: str) -> None:
    """So a window may gather some of them, in any order."""
    score = built(SCORES[kind]())
    chosen = np.array([6, 0, 3])
    keys = tf.nest.map_structure(lambda tensor: tf.gather(tensor, chosen, axis=1), score.keys(ANNOTATIONS))
    found = score.in_loop(Products())(QUERIES, keys)
    np.testing.assert_allclose(found, score(QUERIES, ANNOTATIONS).numpy()[..., chosen], atol=1e-6)


@ALL_SCORES
def test_a_query_is_compared_by_itself(kind: str) -> None:
    score = built(SCORES[kind]())
    found = score(QUERIES, ANNOTATIONS)
    assert found.shape == (3, 2, 7)
    assert found.dtype == tf.float32
    for query in range(2):
        np.testing.assert_allclose(found[:, query], score(QUERIES[:, [query]], ANNOTATIONS)[:, 0], atol=1e-6)


def test_all_but_the_location_look_at_the_content() -> None:
    assert {kind for kind, score in SCORES.items() if not score().from_content} == {"location"}
