import warnings
from typing import Any

import keras
import numpy as np
import pytest

from tests import luong_twins, twins
from tests.models.networks import PAIRS, SOURCE_IDS, SOURCE_VOCABULARY, padded
from tfnmt.models.stacked_encoder import StackedLSTMEncoder

LENGTHS = [len(source) for source, _ in PAIRS]
EITHER_ORDER = pytest.mark.parametrize("reverse_source", [True, False], ids=["reversed", "in order"])


def encoder(layers: int = 3, **options: Any) -> StackedLSTMEncoder:
    layer = StackedLSTMEncoder(SOURCE_VOCABULARY, 4, 5, layers=layers, **options)
    layer.build()
    twins.randomize(layer)
    return layer


def assert_equals_the_twin(layer: StackedLSTMEncoder, training: bool = False, **options: Any) -> None:
    memory = layer(SOURCE_IDS, training=training)
    form = luong_twins.Form(None, False, layer.reverse_source, layer.append_end)
    letters = luong_twins.letters_of_encoder(layer)
    for row, (source, _) in enumerate(PAIRS):
        expected = luong_twins.encode(letters, form, source, **options)
        positions = len(expected.annotations)
        np.testing.assert_array_equal(memory.mask[row], np.arange(memory.mask.shape[1]) < positions)
        np.testing.assert_allclose(
            memory.annotations[row, :positions], np.reshape(expected.annotations, [-1, 5]), atol=1e-5
        )
        for found, pair in zip(memory.summary, expected.summary, strict=True):
            for part, expected_part in zip(found, pair, strict=True):
                np.testing.assert_allclose(part[row], expected_part, atol=1e-5)


@pytest.mark.parametrize("append_end", [False, True])
@EITHER_ORDER
def test_equals_the_equations(reverse_source: bool, append_end: bool) -> None:
    assert_equals_the_twin(encoder(reverse_source=reverse_source, append_end=append_end))


def test_says_how_many_words_there_are() -> None:
    for append_end in (False, True):
        memory = encoder(layers=1, append_end=append_end)(SOURCE_IDS)
        np.testing.assert_array_equal(memory.words, LENGTHS)
        assert memory.keys == ()


def test_annotations_of_a_reversed_source_are_in_the_order_of_the_words() -> None:  # K12
    forwards, backwards = encoder(reverse_source=False), encoder(reverse_source=True)
    in_order = forwards(padded([source[::-1] for source, _ in PAIRS]))
    reversed_ = backwards(SOURCE_IDS)
    for row, length in enumerate(LENGTHS):
        np.testing.assert_allclose(
            reversed_.annotations[row, :length], in_order.annotations[row, :length][::-1], atol=1e-6
        )
    for one, other in zip(reversed_.summary, in_order.summary, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)


def test_the_order_of_reading_makes_a_difference() -> None:
    found = [encoder(reverse_source=reverse)(SOURCE_IDS).annotations[1, :7] for reverse in (True, False)]
    assert np.max(np.abs(found[0] - found[1])) > 0.01


@EITHER_ORDER
def test_padding_is_not_read(reverse_source: bool) -> None:  # C26
    layer = encoder(layers=2, reverse_source=reverse_source)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # C27
        alone, beside = layer(padded([[4, 5, 6]])), layer(padded([[4, 5, 6], [7] * 10], width=12))
    np.testing.assert_allclose(beside.annotations[0, :3], alone.annotations[0], atol=1e-6)
    for one, other in zip(keras.tree.flatten(beside.summary), keras.tree.flatten(alone.summary), strict=True):
        np.testing.assert_allclose(one[0], other[0], atol=1e-6)


@pytest.mark.parametrize("append_end", [True, False])
@pytest.mark.parametrize("shape", [(2, 0), (0, 3), (0, 0)])
def test_there_may_be_no_word_or_no_sentence(append_end: bool, shape: tuple[int, int]) -> None:
    memory = encoder(layers=2, append_end=append_end)(np.zeros(shape, "int32"))
    positions = max(shape[1] + append_end, 1)
    assert memory.annotations.shape[:2] == memory.mask.shape == (shape[0], positions)
    np.testing.assert_array_equal(memory.mask, np.arange(positions) < np.full([shape[0], 1], append_end))
    for part in keras.tree.flatten(memory.summary):
        assert np.all(part.numpy() == 0) != (append_end and shape[0] > 0)


def test_drops_in_training_only() -> None:  # C36
    layer = encoder(layers=2, dropout=0.5)
    assert_equals_the_twin(layer)
    exact = layer(SOURCE_IDS).annotations
    first, second = layer(SOURCE_IDS, training=True), layer(SOURCE_IDS, training=True)
    assert np.max(np.abs(first.annotations - exact)) > 0.01
    assert np.max(np.abs(first.annotations - second.annotations)) > 0.01


def every_other(inputs: Any) -> Any:
    """What dropout of one half would do if it were no matter of chance."""
    return inputs * (np.arange(inputs.shape[-1]) % 2 * 2)


@EITHER_ORDER
def test_drops_the_inputs_of_each_layer_and_nothing_else(monkeypatch: pytest.MonkeyPatch, reverse_source: bool) -> None:
    def call(layer: keras.layers.Dropout, inputs: Any, training: bool = False) -> Any:
        return every_other(inputs) if training and layer.rate else inputs

    monkeypatch.setattr(keras.layers.Dropout, "call", call)
    assert_equals_the_twin(encoder(dropout=0.5, reverse_source=reverse_source), training=True, drop=every_other)


def test_knows_its_sizes() -> None:
    layer = encoder(layers=3)
    assert layer.annotation_size == 5
    assert layer.memory_shape.annotations == (None, None, 5)
    assert layer.memory_shape.summary == (((None, 5), (None, 5)),) * 3
