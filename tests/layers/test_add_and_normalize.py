import numpy as np

from tests import transformer_twins, twins
from tfnmt.layers.add_and_normalize import AddAndNormalize

INPUTS, OUTPUTS = (np.random.default_rng(seed).normal(size=[2, 3, 8]).astype("float32") for seed in (1, 2))


def layer(dropout: float) -> AddAndNormalize:
    found = AddAndNormalize(dropout)
    found.build(INPUTS.shape)
    twins.randomize(found)
    return found


def test_adds_then_normalizes() -> None:
    found = layer(dropout=0.5)
    expected = transformer_twins.normalize(transformer_twins.letters_of_norm(found), INPUTS + OUTPUTS)
    np.testing.assert_allclose(found(INPUTS, OUTPUTS), expected, atol=1e-4)


def test_drops_of_the_sub_layer_alone_and_in_training_only() -> None:  # C36
    found = layer(dropout=0.999)
    expected = transformer_twins.normalize(transformer_twins.letters_of_norm(found), INPUTS)
    dropped = found(INPUTS, OUTPUTS, training=True)
    assert np.mean(np.isclose(dropped, expected, atol=1e-4)) > 0.5
    assert not np.allclose(found(INPUTS, OUTPUTS), expected, atol=1e-2)
