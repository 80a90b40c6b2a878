"""Queries and annotations that the tests of the scores, the windows and the attentions compare."""

from __future__ import annotations

from typing import Any

import keras
import numpy as np

from tests import luong_twins, twins

QUERIES = np.random.default_rng(1).normal(size=[3, 2, 4]).astype("float32")
ANNOTATIONS = np.random.default_rng(2).normal(size=[3, 7, 4]).astype("float32")
LENGTHS = [7, 2, 1]
MASK = np.arange(7) < np.array(LENGTHS)[:, None]
NUMBERS = np.array([[0, 6], [1, 3], [0, 9]], "int32")
"""Of the words to predict; some are further on than their source is long."""


def built(layer: Any, *shapes: tuple[int, ...]) -> Any:
    """The layer with weights far from their first values."""
    layer.build(*(shapes or (QUERIES.shape, ANNOTATIONS.shape)))
    twins.randomize(layer)
    return layer


def expected_scores(score: Any, annotations: np.ndarray = ANNOTATIONS) -> np.ndarray:
    letters, twin = luong_twins.letters_of_score(score), luong_twins.SCORES[type(score)]
    return np.array(
        [
            [[twin(letters, h, annotation, s) for s, annotation in enumerate(row, start=1)] for h in queries]
            for queries, row in zip(QUERIES, annotations, strict=True)
        ]
    )


def assert_uniform(weight: keras.Variable) -> None:
    """That a weight of thousands of components is drawn from U[-0.1, 0.1]."""
    values = weight.numpy()
    assert np.max(np.abs(values)) <= 0.1
    np.testing.assert_allclose([np.min(values), np.max(values)], [-0.1, 0.1], atol=1e-3)
    np.testing.assert_allclose(np.std(values), 0.1 / np.sqrt(3), rtol=0.05)
