from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tests.models.networks import SOURCE_IDS, padded
from tfnmt.models.encoder import Encoder


class Copying(Encoder):
    """Leaves the ids that it reads as annotations."""

    annotation_size = 1
    summary_shape = (None, 1)

    def encode(self, ids: tf.Tensor, mask: tf.Tensor, training: bool) -> tuple[tf.Tensor, Any]:
        annotations = tf.cast(ids, tf.float32)[..., tf.newaxis]
        return annotations, tf.reduce_sum(annotations, axis=1) * (10 if training else 1)


def test_reads_the_end_symbol_as_the_last_position_of_each_sentence() -> None:
    memory = Copying()(padded([[4, 5], [], [6]]))
    np.testing.assert_array_equal(memory.annotations[..., 0], [[4, 5, 2], [2, 0, 0], [6, 2, 0]])
    np.testing.assert_array_equal(memory.mask, memory.annotations[..., 0] != 0)
    np.testing.assert_array_equal(memory.words, [2, 0, 1])
    np.testing.assert_array_equal(memory.summary, [[11], [2], [8]])


def test_may_leave_it_unread() -> None:
    memory = Copying(append_end=False)(SOURCE_IDS)
    np.testing.assert_array_equal(memory.annotations[..., 0], SOURCE_IDS)
    np.testing.assert_array_equal(memory.mask, SOURCE_IDS != 0)
    np.testing.assert_array_equal(memory.words, np.sum(SOURCE_IDS != 0, axis=1))


@pytest.mark.parametrize("append_end", [True, False])
def test_a_memory_has_one_position_at_least(append_end: bool) -> None:
    memory = Copying(append_end=append_end)(np.zeros([2, 0], "int32"))
    np.testing.assert_array_equal(memory.mask, np.full([2, 1], append_end))
    np.testing.assert_array_equal(memory.words, [0, 0])


def test_passes_on_whether_it_learns() -> None:
    encoder = Copying()
    np.testing.assert_array_equal(
        encoder(SOURCE_IDS, training=True).summary, 10 * encoder(SOURCE_IDS, training=False).summary
    )
    np.testing.assert_array_equal(encoder(SOURCE_IDS).summary, encoder(SOURCE_IDS, training=False).summary)


def test_says_which_shapes_it_leaves() -> None:
    encoder = Copying()
    memory, shapes = encoder(SOURCE_IDS), encoder.memory_shape
    for tensor, shape in zip(memory[:4], shapes[:4], strict=True):
        assert tensor.shape.rank == len(shape)
        assert all(size in (None, found) for size, found in zip(shape, tensor.shape, strict=True))
