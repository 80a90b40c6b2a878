import numpy as np
import pytest
import tensorflow as tf

from tests import gehring_twins, twins
from tests.layers.compared import ANNOTATIONS, LENGTHS, MASK
from tfnmt.layers.convolution_stack import ConvolutionStack


def stack(layers: int = 3, **options: object) -> ConvolutionStack:
    layer = ConvolutionStack(layers, **options)
    layer.build(ANNOTATIONS.shape)
    twins.randomize(layer)
    return layer


@pytest.mark.parametrize(("layers", "width"), [(1, 3), (3, 3), (2, 5)])
def test_equals_the_equations_whatever_stands_in_the_padding(layers: int, width: int) -> None:  # C24
    layer = stack(layers, width=width)
    letters = gehring_twins.letters_of_stack(layer)
    for inputs in (ANNOTATIONS, np.where(MASK[..., None], ANNOTATIONS, 1e4).astype("float32")):
        found = layer(inputs, MASK)
        for row, length in enumerate(LENGTHS):
            expected = gehring_twins.convolutions(letters, ANNOTATIONS[row, :length].astype("float64"))
            np.testing.assert_allclose(found[row, :length], expected, atol=1e-5)
    np.testing.assert_allclose(layer(ANNOTATIONS), layer(ANNOTATIONS, np.ones_like(MASK)), atol=1e-6)


def test_without_weights_what_went_in_is_left() -> None:  # K14
    layer = stack(1, last_residual=True)
    layer.set_weights([np.zeros_like(weight) for weight in layer.get_weights()])
    np.testing.assert_allclose(layer(ANNOTATIONS, MASK)[MASK], np.tanh(ANNOTATIONS[MASK]), atol=1e-6)
    layer = stack(2)
    layer.set_weights([np.zeros_like(weight) for weight in layer.get_weights()])
    np.testing.assert_array_equal(layer(ANNOTATIONS), np.zeros_like(ANNOTATIONS))  # the last one adds nothing


def test_gradients_of_the_convolutions_are_divided_by_the_root_of_their_size() -> None:
    gradients = {}
    for scale in (True, False):
        layer = stack(scale_gradients=scale)
        with tf.GradientTape() as tape:
            total = tf.reduce_sum(layer(ANNOTATIONS, MASK) ** 2)
        gradients[scale] = tape.gradient(total, layer.trainable_variables)
    for scaled, plain in zip(gradients[True], gradients[False], strict=True):
        np.testing.assert_allclose(scaled, plain / 2, rtol=1e-4, atol=1e-6)  # of size 4


def test_starts_as_torch_does() -> None:
    layer = ConvolutionStack(1, width=3)
    layer.build((None, None, 48))
    assert np.max(np.abs(layer.kernels[0])) == pytest.approx((3 * 48) ** -0.5, rel=1e-2)
    np.testing.assert_array_equal(layer.biases[0], np.zeros(48))


def test_a_width_without_a_middle_is_refused() -> None:
    with pytest.raises(ValueError, match="must be odd, not 4"):
        ConvolutionStack(1, width=4)
