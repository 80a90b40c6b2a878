import numpy as np
import pytest

from tests import transformer_twins, twins
from tests.layers.compared import ANNOTATIONS, LENGTHS, MASK
from tfnmt.layers.transformer_decoder_layer import TransformerDecoderLayer, so_far

INPUTS = np.random.default_rng(3).normal(size=[3, 5, 4]).astype("float32")


def test_equals_the_equations() -> None:
    layer = TransformerDecoderLayer(2, 3, 7)
    layer.build(INPUTS.shape, ANNOTATIONS.shape)
    twins.randomize(layer)
    letters = transformer_twins.letters_of_decoder_layer(layer)
    found, weights = layer(INPUTS, ANNOTATIONS, MASK)
    for row, length in enumerate(LENGTHS):
        expected, looked = transformer_twins.decoder_layer(
            letters, INPUTS[row].astype("float64"), ANNOTATIONS[row, :length].astype("float64")
        )
        np.testing.assert_allclose(found[row], expected, atol=1e-4)
        np.testing.assert_allclose(weights[row, :, :, :length], looked, atol=1e-5)
        np.testing.assert_array_equal(weights[row, :, :, length:], 0)  # C24


def test_each_position_sees_itself_and_those_before_it() -> None:  # K15
    np.testing.assert_array_equal(so_far(3), [[[True, False, False], [True, True, False], [True, True, True]]])


def test_annotations_of_another_size_are_refused() -> None:
    with pytest.raises(ValueError, match="give both the same units"):
        TransformerDecoderLayer(2, 3, 7).build((None, None, 4), (None, None, 6))
