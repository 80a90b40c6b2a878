import keras
import numpy as np
import pytest

from tests import gehring_twins
from tests.models.gehring_networks import KINDS, convolutional, network, pooling
from tests.models.networks import PAIRS, SOURCE_IDS, padded
from tfnmt.models.positioned_encoder import PositionedEncoder

ENCODERS = pytest.mark.parametrize("make", [pooling, convolutional], ids=["pooling", "convolutional"])


def assert_equals_the_twin(encoder: PositionedEncoder, training: bool = False, **options: object) -> None:
    memory = encoder(SOURCE_IDS, training=training)
    letters = gehring_twins.letters_of_encoder(encoder)
    assert memory.summary == ()
    for row, (source, _) in enumerate(PAIRS):
        expected = gehring_twins.encode(letters, source, **options)
        length = len(source) + 1
        np.testing.assert_array_equal(memory.mask[row], np.arange(memory.mask.shape[1]) < length)
        np.testing.assert_allclose(memory.annotations[row, :length], expected.values, atol=1e-5)
        np.testing.assert_allclose(memory.scored[row, :length], expected.scored, atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_equals_the_equations(kind: str) -> None:
    """One sentence is longer than the table of positions."""
    assert_equals_the_twin(KINDS[kind]().encoder)


@ENCODERS
def test_padding_is_not_read(make: object) -> None:  # C24, C26
    encoder = network(make()).encoder
    alone, beside = encoder(padded([[4, 5, 6]])), encoder(padded([[4, 5, 6], [7] * 10], width=12))
    for name in ("annotations", "scored"):
        np.testing.assert_allclose(getattr(beside, name)[0, :4], getattr(alone, name)[0], atol=1e-6)


@ENCODERS
@pytest.mark.parametrize("shape", [(2, 0), (0, 3), (0, 0)])
def test_there_may_be_no_word_or_no_sentence(make: object, shape: tuple[int, int]) -> None:
    memory = network(make()).encoder(np.zeros(shape, "int32"))
    assert memory.annotations.shape[:2] == memory.scored.shape[:2] == (shape[0], shape[1] + 1)
    assert np.all(np.isfinite(memory.annotations))


@ENCODERS
def test_drops_the_vectors_in_training_only(make: object, monkeypatch: pytest.MonkeyPatch) -> None:  # C36
    encoder = network(make(embedding_dropout=0.5)).encoder
    assert_equals_the_twin(encoder)
    monkeypatch.setattr(
        keras.layers.Dropout,
        "call",
        lambda layer, inputs, training=False: every_other(inputs) if training and layer.rate else inputs,
    )
    assert_equals_the_twin(encoder, training=True, drop=every_other)


def every_other(inputs: np.ndarray) -> np.ndarray:
    """What dropout of one half would do if it were no matter of chance."""
    return inputs * (np.arange(inputs.shape[-1]) % 2 * 2)
