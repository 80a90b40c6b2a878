from __future__ import annotations

import pytest
import tensorflow as tf

from tfnmt.text.neighbours import neighbours

ROWS = [["a", "b", "c"], [], ["d"], ["e", "f"]]


@pytest.mark.parametrize("distance", [-3, -2, -1, 1, 2])
def test_neighbours_stay_within_the_row(distance: int):
    expected = [
        row[place + distance] if 0 <= place + distance < len(row) else "" for row in ROWS for place in range(len(row))
    ]
    found = neighbours(tf.ragged.constant(ROWS), distance)
    assert [word.decode() for word in found.numpy()] == expected


def test_no_tokens_at_all():
    assert neighbours(tf.RaggedTensor.from_row_splits(tf.constant([], tf.string), [0, 0]), 1).shape == [0]
