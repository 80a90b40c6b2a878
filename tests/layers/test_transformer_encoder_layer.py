import numpy as np

from tests import transformer_twins, twins
from tests.layers.compared import ANNOTATIONS, LENGTHS, MASK
from tfnmt.layers.transformer_encoder_layer import TransformerEncoderLayer


def test_equals_the_equations_whatever_stands_in_the_padding() -> None:  # C24
    layer = TransformerEncoderLayer(2, 3, 7)
    layer.build(ANNOTATIONS.shape)
    twins.randomize(layer)
    letters = transformer_twins.letters_of_encoder_layer(layer)
    for inputs in (ANNOTATIONS, np.where(MASK[..., None], ANNOTATIONS, 1e3).astype("float32")):
        found = layer(inputs, MASK)
        for row, length in enumerate(LENGTHS):
            expected = transformer_twins.encoder_layer(letters, ANNOTATIONS[row, :length].astype("float64"))
            np.testing.assert_allclose(found[row, :length], expected, atol=1e-4)
    np.testing.assert_allclose(layer(ANNOTATIONS), layer(ANNOTATIONS, np.ones_like(MASK)), atol=1e-6)
