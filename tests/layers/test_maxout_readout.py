import numpy as np
import pytest

from tests import twins
from tfnmt.layers.maxout_readout import MaxoutReadout

STATE, EMBEDDING, CONTEXT = (
    np.random.default_rng(seed).normal(size=[2, 3, size]).astype("float32") for seed, size in enumerate((4, 5, 6))
)


def readout(**options: object) -> MaxoutReadout:
    layer = MaxoutReadout(7, **options)
    layer.build(STATE.shape, EMBEDDING.shape, CONTEXT.shape)
    twins.randomize(layer)
    return layer


@pytest.mark.parametrize("projection", [None, 9])
def test_equals_the_equations(projection: int | None) -> None:
    layer = readout(projection=projection)
    letters = twins.letters_of_readout(layer)
    expected = [
        [twins.maxout_readout(letters, STATE[i, j], EMBEDDING[i, j], CONTEXT[i, j]) for j in range(3)] for i in range(2)
    ]
    features = layer(STATE, EMBEDDING, CONTEXT)
    np.testing.assert_allclose(features, expected, atol=1e-5)
    assert features.shape[-1] == layer.features_size == (projection or 7)


def test_takes_the_greater_of_adjacent_pairs() -> None:
    layer = MaxoutReadout(3)
    layer.build((None, 6), (None, 1), (None, 1))
    layer.state_kernel.assign(np.eye(6))
    nothing = np.zeros([1, 1], "float32")
    features = layer(np.array([[1, 5, -2, -3, 4, 4]], "float32"), nothing, nothing)
    np.testing.assert_array_equal(features, [[5, -2, 4]])


def test_drops_features_in_training_only() -> None:  # C36
    layer = readout(dropout=0.5)
    exact = layer(STATE, EMBEDDING, CONTEXT)
    np.testing.assert_array_equal(layer(STATE, EMBEDDING, CONTEXT), exact)
    dropped = layer(STATE, EMBEDDING, CONTEXT, training=True).numpy()
    kept = dropped != 0
    assert 0 < np.mean(kept) < 1
    np.testing.assert_allclose(dropped[kept], 2 * exact.numpy()[kept], rtol=1e-6)


def test_starts_as_in_the_paper() -> None:
    layer = MaxoutReadout(100, projection=80)
    layer.build((None, 200), (None, 150), (None, 300))
    letters = twins.letters_of_readout(layer)
    for name in ("U_o", "V_o", "C_o", "W_1"):
        assert np.std(letters[name]) == pytest.approx(0.01, rel=0.05)
    np.testing.assert_array_equal(letters["b_o"], np.zeros(200))
    assert not np.allclose(letters["U_o"][:, :150], letters["V_o"])
