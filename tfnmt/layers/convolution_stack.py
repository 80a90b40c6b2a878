"""A stack of convolutions over the words of a sentence."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.initializers import fresh
from tfnmt.layers.product_layer import ProductLayer


@keras.saving.register_keras_serializable(package="tfnmt")
class ConvolutionStack(ProductLayer):
    """`y = tanh(conv_k(x) + x)`, layer upon layer, the length kept (Gehring et al. 2016, section 3.2).

    What went in is added *before* the tanh. The last convolution adds nothing, as in the authors' code (the paper adds
    at each); so a stack of one layer is `tanh(conv_k(x))`. Padding is set to zero before each convolution: a sentence
    gives the same in a batch as alone.

    Args:
        layers: how many convolutions.
        width: `k`, how many words each sees; odd.
        last_residual: whether the last convolution adds what went in, too.
        scale_gradients: whether the convolutions' gradients are divided by the root of the input's size (section 4.3).
            Of no effect under optimizers that do not mind the scale, such as Adam.
        kernel_initializer: draws the convolutions (authors' code: uniform within `1 / sqrt(k d)`).

    Call arguments:
        inputs: `[batch, time, d]`.
        inputs_mask: bool `[batch, time]`, True at real positions, which come first; None if all are.

    Returns:
        float32 `[batch, time, d]`; padded positions hold anything.

    Raises:
        ValueError: the width is even, which has no middle.
    """

    def __init__(
        self,
        layers: int,
        width: int = 3,
        last_residual: bool = False,
        scale_gradients: bool = True,
        kernel_initializer: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if width % 2 == 0:
            raise ValueError(f"A convolution sees as many words to each side: its width must be odd, not {width}.")
        self.layers = layers
        self.width = width
        self.last_residual = last_residual
        self.scale_gradients = scale_gradients
        self.kernel_initializer = keras.initializers.get(kernel_initializer or within_root_of_fan_in())

    def build(self, inputs_shape: tuple[int | None, ...]) -> None:
        size = inputs_shape[-1]
        self.kernels = [
            self.add_weight(
                name=f"kernel_{layer}",
                shape=(self.width, size, size),
                initializer=fresh(self.kernel_initializer, layer),
            )
            for layer in range(self.layers)
        ]
        self.biases = [
            self.add_weight(name=f"bias_{layer}", shape=(size,), initializer="zeros") for layer in range(self.layers)
        ]
        self.built = True

    def call(self, inputs: tf.Tensor, inputs_mask: tf.Tensor | None = None) -> tf.Tensor:
        states = tf.cast(inputs, tf.float32)
        for layer, (kernel, bias) in enumerate(zip(self.kernels, self.biases, strict=True)):
            if inputs_mask is not None:
                states = tf.where(inputs_mask[..., tf.newaxis], states, 0.0)
            sums = tf.cast(
                tf.nn.conv1d(self.operand(states), self.operand(self._scaled(kernel)), stride=1, padding="SAME"),
                tf.float32,
            ) + self._scaled(bias)
            residual = self.last_residual or layer + 1 < self.layers
            states = tf.tanh(sums + states if residual else sums)
        return states

    def _scaled(self, weight: keras.Variable) -> tf.Tensor:
        """The weight, with the scale of its gradient."""
        value = tf.convert_to_tensor(weight)
        if not self.scale_gradients:
            return value
        scale = value.shape[-1] ** -0.5
        return scale * value + tf.stop_gradient((1 - scale) * value)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "layers": self.layers,
            "width": self.width,
            "last_residual": self.last_residual,
            "scale_gradients": self.scale_gradients,
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
        }


def within_root_of_fan_in() -> keras.initializers.Initializer:
    """Uniform within `1 / sqrt(fan in)`, what Torch draws convolutions and linear layers from."""
    return keras.initializers.VarianceScaling(scale=1 / 3, mode="fan_in", distribution="uniform")
