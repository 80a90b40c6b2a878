import numpy as np
import tensorflow as tf

from tfnmt.models.decoder import group_by_sentence, ungroup
from tfnmt.models.memory import Memory

MEMORY = Memory(annotations=(), mask=tf.ones([2, 5], tf.bool), summary=(), words=())
ROWS = np.arange(24, dtype="float32").reshape(6, 4)  # two sentences, three hypotheses


def test_adjacent_rows_are_the_hypotheses_of_one_sentence() -> None:  # C43
    groups = group_by_sentence(ROWS, MEMORY)
    np.testing.assert_array_equal(groups, [ROWS[:3], ROWS[3:]])
    np.testing.assert_array_equal(ungroup(groups), ROWS)
    np.testing.assert_array_equal(group_by_sentence(np.arange(6), MEMORY), [[0, 1, 2], [3, 4, 5]])


def test_there_may_be_no_sentence() -> None:
    nothing = MEMORY._replace(mask=tf.ones([0, 5], tf.bool))
    assert group_by_sentence(ROWS[:0], nothing).shape == (0, 1, 4)
    assert ungroup(np.zeros([0, 3, 4], "float32")).shape == (0, 4)
