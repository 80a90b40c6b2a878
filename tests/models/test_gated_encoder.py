import warnings
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tests import twins
from tests.models.networks import SOURCE_IDS, SOURCE_VOCABULARY, padded
from tfnmt.models.gated_encoder import BidirectionalEncoder, UnidirectionalEncoder

ENCODERS = pytest.mark.parametrize("kind", [UnidirectionalEncoder, BidirectionalEncoder])
LENGTHS = [3, 7, 1, 0, 2]


def encoder(kind: type, **options: Any) -> Any:
    layer = kind(SOURCE_VOCABULARY, 4, 5, **options)
    layer.build()
    twins.randomize(layer)
    return layer


@ENCODERS
def test_equals_the_equations(kind: type) -> None:
    layer = encoder(kind)
    memory = layer(SOURCE_IDS)
    letters = twins.letters_of_encoder(layer)
    for row, length in enumerate(LENGTHS):
        expected = twins.encode(letters, [*SOURCE_IDS[row, :length], twins.END])
        np.testing.assert_allclose(memory.annotations[row, : length + 1], expected.annotations, atol=1e-5)
        np.testing.assert_allclose(memory.summary[row], expected.summary, atol=1e-5)
    assert memory.annotations.shape[-1] == layer.annotation_size == layer.memory_shape.annotations[-1]
    assert memory.summary.shape[-1] == layer.memory_shape.summary[-1]


@ENCODERS
def test_says_which_positions_are_real(kind: type) -> None:
    memory = encoder(kind)(SOURCE_IDS)
    np.testing.assert_array_equal(memory.mask, np.arange(8) < np.array(LENGTHS)[:, None] + 1)
    np.testing.assert_array_equal(memory.words, LENGTHS)
    assert memory.keys == ()


@ENCODERS
def test_may_leave_the_end_unread(kind: type) -> None:
    layer = encoder(kind, append_end=False)
    memory = layer(SOURCE_IDS)
    expected = twins.encode(twins.letters_of_encoder(layer), SOURCE_IDS[0, :3])
    np.testing.assert_allclose(memory.annotations[0, :3], expected.annotations, atol=1e-5)
    np.testing.assert_allclose(memory.summary[0], expected.summary, atol=1e-5)
    np.testing.assert_array_equal(memory.mask, np.arange(7) < np.array(LENGTHS)[:, None])
    np.testing.assert_array_equal(memory.words, LENGTHS)
    np.testing.assert_array_equal(memory.summary[3], np.zeros(5))  # the row without a word


@ENCODERS
def test_padding_is_not_read(kind: type) -> None:  # C26
    layer = encoder(kind)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # C27
        alone, beside = layer(padded([[4, 5, 6]])), layer(padded([[4, 5, 6], [7] * 10], width=12))
    np.testing.assert_allclose(beside.annotations[0, :4], alone.annotations[0], atol=1e-6)
    np.testing.assert_allclose(beside.summary[0], alone.summary[0], atol=1e-6)


def test_the_summary_of_both_directions_is_the_backward_state_at_the_first_word() -> None:
    memory = encoder(BidirectionalEncoder)(SOURCE_IDS)
    np.testing.assert_array_equal(memory.summary, memory.annotations[:, 0, 5:])


def test_the_summary_of_one_direction_is_the_state_at_the_last_position() -> None:
    memory = encoder(UnidirectionalEncoder)(SOURCE_IDS)
    np.testing.assert_array_equal(memory.summary, tf.gather(memory.annotations, LENGTHS, batch_dims=1))


@ENCODERS
@pytest.mark.parametrize("append_end", [True, False])
@pytest.mark.parametrize("shape", [(2, 0), (0, 3), (0, 0)])
def test_there_may_be_no_word_or_no_sentence(kind: type, append_end: bool, shape: tuple[int, int]) -> None:
    memory = encoder(kind, append_end=append_end)(np.zeros(shape, "int32"))
    positions = max(shape[1] + append_end, 1)
    assert memory.annotations.shape[:2] == memory.mask.shape == (shape[0], positions)
    np.testing.assert_array_equal(memory.mask, np.arange(positions) < np.full([shape[0], 1], append_end))
    assert np.all(np.isfinite(memory.summary))


@ENCODERS
@pytest.mark.parametrize("place", ["embedding_dropout", "annotation_dropout"])
def test_drops_in_training_only(kind: type, place: str) -> None:  # C36
    layer = encoder(kind, **{place: 0.5})
    exact = layer(SOURCE_IDS).annotations
    np.testing.assert_array_equal(layer(SOURCE_IDS).annotations, exact)
    np.testing.assert_allclose(exact, _without_dropout(layer)(SOURCE_IDS).annotations, atol=1e-6)
    first, second = layer(SOURCE_IDS, training=True), layer(SOURCE_IDS, training=True)
    assert np.max(np.abs(first.annotations - exact)) > 0.01
    assert np.max(np.abs(first.annotations - second.annotations)) > 0.01


def _without_dropout(layer: Any) -> Any:
    other = encoder(type(layer))
    other.set_weights(layer.get_weights())
    return other
