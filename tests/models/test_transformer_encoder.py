import warnings

import keras
import numpy as np
import pytest

from tests import transformer_twins, twins
from tests.models.networks import PAIRS, SOURCE_IDS, SOURCE_VOCABULARY, padded
from tfnmt.layers.word_embedding import WordEmbedding
from tfnmt.models.gated_encoder import BidirectionalEncoder
from tfnmt.models.transformer_encoder import TransformerEncoder


def encoder(dropout: float = 0.0, layers: int = 2) -> TransformerEncoder:
    layer = TransformerEncoder(
        SOURCE_VOCABULARY, 6, layers=layers, heads=2, head_size=4, feed_forward_units=7, dropout=dropout
    )
    layer.build()
    twins.randomize(layer)
    return layer


def assert_equals_the_twin(layer: TransformerEncoder, training: bool = False, **options: object) -> None:
    memory = layer(SOURCE_IDS, training=training)
    letters = transformer_twins.letters_of_encoder(layer)
    for row, (source, _) in enumerate(PAIRS):
        expected = transformer_twins.encode(letters, source, **options)
        np.testing.assert_array_equal(memory.mask[row], np.arange(memory.mask.shape[1]) < len(expected))
        np.testing.assert_allclose(memory.annotations[row, : len(expected)], expected, atol=1e-5)


def test_equals_the_equations() -> None:
    assert_equals_the_twin(encoder())


def test_padding_is_not_read() -> None:  # C24, C26
    layer = encoder()
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # C27
        alone, beside = layer(padded([[4, 5, 6]])), layer(padded([[4, 5, 6], [7] * 10], width=12))
    np.testing.assert_allclose(beside.annotations[0, :4], alone.annotations[0], atol=1e-5)


@pytest.mark.parametrize("shape", [(2, 0), (0, 3), (0, 0)])
def test_there_may_be_no_word_or_no_sentence(shape: tuple[int, int]) -> None:
    memory = encoder()(np.zeros(shape, "int32"))
    assert memory.annotations.shape == (shape[0], shape[1] + 1, 6)
    assert np.all(np.isfinite(memory.annotations))
    assert memory.summary == ()


def test_drops_the_sum_of_word_and_position_and_what_each_sub_layer_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    layer = encoder(dropout=0.5)
    assert_equals_the_twin(layer)  # nothing in use (C36)
    monkeypatch.setattr(
        keras.layers.Dropout,
        "call",
        lambda dropout, inputs, training=False: every_other(inputs) if training and dropout.rate else inputs,
    )
    assert_equals_the_twin(layer, training=True, drop=every_other)


def every_other(inputs: np.ndarray) -> np.ndarray:
    """What dropout of one half would do if it were no matter of chance."""
    return inputs * (np.arange(inputs.shape[-1]) % 2 * 2)


def test_shares_word_vectors_of_its_own_sizes_only() -> None:
    embedding = WordEmbedding(SOURCE_VOCABULARY, 6, bias=False)
    layer = TransformerEncoder(SOURCE_VOCABULARY, 6, layers=1, heads=2, head_size=3, feed_forward_units=5)
    layer.share(embedding)
    layer.build()
    assert layer.embedding is embedding
    with pytest.raises(ValueError, match="one joint vocabulary"):
        layer.share(WordEmbedding(SOURCE_VOCABULARY + 1, 6))
    with pytest.raises(ValueError, match="A BidirectionalEncoder cannot share"):
        BidirectionalEncoder(SOURCE_VOCABULARY, 6, 5).share(embedding)


def test_starts_as_in_the_authors_code() -> None:
    layer = TransformerEncoder(200, 64, layers=1, heads=4, head_size=16, feed_forward_units=256)
    layer.build()
    assert np.std(layer.embedding.table) == pytest.approx(64**-0.5, rel=0.05)
    (block,) = layer.stack
    for kernel in (block.attention.query_kernel, block.attention.output_kernel, block.feed_forward.inner_kernel):
        assert np.max(np.abs(kernel)) == pytest.approx(np.sqrt(6 / sum(kernel.shape)), rel=0.01)  # Glorot
