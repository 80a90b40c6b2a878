"""Where a word stands in its sentence, told by sines and cosines."""

from __future__ import annotations

import keras
import numpy as np
import tensorflow as tf

from tfnmt.layers.product_layer import ProductLayer


@keras.saving.register_keras_serializable(package="tfnmt")
class SinusoidalPositions(ProductLayer):
    """Adds to each vector the code of its position (Vaswani et al. 2017, section 3.5)::

        PE(pos, 2i)     = sin(pos / 10000^(2i / d))
        PE(pos, 2i + 1) = cos(pos / 10000^(2i / d))

    Without weights, so for any length. Sines and cosines alternate, as in the paper; its authors' code puts all sines
    first and has slightly other wavelengths.

    Call arguments:
        vectors: `[..., d]`.
        numbers: int32, the position of each vector from 0, broadcasts against the leading axes of `vectors`; None if
            the last of them counts the positions, `vectors [..., time, d]`.

    Returns:
        float32 `[..., d]`.
    """

    def call(self, vectors: tf.Tensor, numbers: tf.Tensor | None = None) -> tf.Tensor:
        if numbers is None:
            numbers = tf.range(tf.shape(vectors)[-2])
        return tf.cast(vectors, tf.float32) + _codes(numbers, vectors.shape[-1])


def _codes(numbers: tf.Tensor, size: int) -> tf.Tensor:
    """`[...]` -> float32 `[..., size]`."""
    components = np.arange(size)
    rates = 10_000.0 ** (-2 * (components // 2) / size)
    angles = tf.cast(numbers, tf.float32)[..., tf.newaxis] * tf.constant(rates, tf.float32)
    return tf.where(components % 2 == 0, tf.sin(angles), tf.cos(angles))
