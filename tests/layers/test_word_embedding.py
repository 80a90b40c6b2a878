import numpy as np
import pytest

from tests import twins
from tfnmt.layers.word_embedding import WordEmbedding

IDS = np.array([[4, 1, 0], [5, 4, 1]], "int32")


def embedding(**options: object) -> WordEmbedding:
    layer = WordEmbedding(6, 3, **options)
    layer.build()
    twins.randomize(layer)
    return layer


def test_is_a_row_and_the_shared_bias() -> None:
    layer = embedding()
    letters = twins.letters_of_embedding(layer)
    expected = [[twins.word_vector(letters, word) for word in row] for row in IDS]
    np.testing.assert_allclose(layer(IDS), expected, atol=1e-6)


def test_without_a_bias_only_the_row() -> None:
    layer = embedding(bias=False)
    assert [weight.name for weight in layer.weights] == ["table"]
    np.testing.assert_array_equal(layer(IDS), layer.table.numpy()[IDS])


def test_silent_symbols_have_no_vector_at_all() -> None:
    layer = embedding(silent_symbols=(1, 0))
    vectors = layer(IDS).numpy()
    silent = np.isin(IDS, (0, 1))
    np.testing.assert_array_equal(vectors[silent], 0)
    np.testing.assert_allclose(vectors[~silent], (layer.table.numpy() + layer.bias.numpy())[IDS[~silent]], atol=1e-6)


def test_drops_components_in_training_only() -> None:  # C36
    layer = embedding(dropout=0.5)
    exact = layer(IDS).numpy()
    np.testing.assert_array_equal(layer(IDS), exact)
    dropped = np.stack([layer(IDS, training=True) for _ in range(20)])
    kept = dropped != 0
    assert 0.3 < np.mean(kept) < 0.7
    np.testing.assert_allclose(dropped[kept], np.broadcast_to(2 * exact, dropped.shape)[kept], rtol=1e-6)


def test_starts_as_in_the_paper() -> None:
    layer = WordEmbedding(500, 60)
    layer.build()
    assert np.std(layer.table) == pytest.approx(0.01, rel=0.05)
    np.testing.assert_array_equal(layer.bias, np.zeros(60))
