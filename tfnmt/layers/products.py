"""The matrix products inside a loop over time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras
import tensorflow as tf

Product = Callable[[tf.Tensor], tf.Tensor]


class Products:
    """Makes products with a fixed kernel, read and cast once.

    A layer's `in_loop(products)` asks here for `x -> x W`, so that who runs the loop decides how the gradient of `W` is
    taken: plainly, as here, or once after the loop (`DeferredProducts`).
    """

    def by(self, kernel: keras.Variable, dtype: str) -> Product:
        """The product with `kernel [m, n]` in `dtype`: float32 `[..., m] -> [..., n]`."""
        operand = tf.cast(tf.convert_to_tensor(kernel), dtype)
        return lambda inputs: _product(inputs, operand)


class DeferredProducts(Products):
    """Products whose weight gradients are one large product after the loop instead of a small one at each step.

    In a loop over time `y_t = x_t W`, the gradient of `W` is `sum_t x_t^T dy_t`: one product over all times at once.
    Inside the loop `W` is a constant, and a zero `slot_t` is added to `y_t`, whose gradient is `dy_t`. All slots are
    made from `W` by a function whose gradient is that one product. The mathematics is that of `Products`.

    `tfnmt.layers.recurrence.scan` runs it: `open` before the loop, `enter` and `leave` around each step, `close` after.
    Each product may be used once a step, with the same number of rows at each.
    """

    def __init__(self) -> None:
        self._kernels: list[tuple[keras.Variable, str]] = []
        self._slots: list[tf.Tensor] = []
        self._inputs: list[tf.Tensor | None] = []
        self._stacked: list[tf.Tensor] = []

    def by(self, kernel: keras.Variable, dtype: str) -> Product:
        number = len(self._kernels)
        self._kernels.append((kernel, dtype))
        operand = tf.stop_gradient(tf.cast(tf.convert_to_tensor(kernel), dtype))

        def product(inputs: tf.Tensor) -> tf.Tensor:
            rows = tf.reshape(inputs, [-1, kernel.shape[0]])
            self._inputs[number] = rows
            result = _product(rows, operand) + self._slots[number]
            return tf.reshape(result, tf.concat([tf.shape(inputs)[:-1], [kernel.shape[1]]], axis=0))

        return product

    def open(self, steps: tf.Tensor, rows: tf.Tensor) -> tuple[list[tf.Tensor], list[tf.TensorSpec]]:
        """The slots of all steps, `[steps, rows, n]` a kernel, and what `leave` will give, `[rows, m]` a kernel."""
        slots = [self._slots_of(number, steps, rows) for number in range(len(self._kernels))]
        return slots, [tf.TensorSpec([None, kernel.shape[0]]) for kernel, _ in self._kernels]

    def enter(self, slots: list[tf.Tensor]) -> None:
        """Before a step: its slots."""
        self._slots = slots
        self._inputs = [None] * len(self._kernels)

    def leave(self) -> list[Any]:
        """After a step: what each product was given."""
        return self._inputs

    def close(self, stacked: list[tf.Tensor]) -> None:
        """After the loop: what each product was given at all steps, `[steps, rows, m]`."""
        self._stacked = stacked

    def _slots_of(self, number: int, steps: tf.Tensor, rows: tf.Tensor) -> tf.Tensor:
        kernel, dtype = self._kernels[number]
        size, width = kernel.shape

        @tf.custom_gradient
        def slots(weights: tf.Tensor) -> tuple[tf.Tensor, Callable[[tf.Tensor], tf.Tensor]]:
            def gradient(upstream: tf.Tensor) -> tf.Tensor:
                inputs = tf.cast(tf.reshape(self._stacked[number], [-1, size]), dtype)
                outputs = tf.cast(tf.reshape(upstream, [-1, width]), dtype)
                return tf.cast(tf.matmul(inputs, outputs, transpose_a=True), weights.dtype)

            return tf.zeros([steps, rows, width]), gradient

        return slots(tf.convert_to_tensor(kernel))


def _product(inputs: tf.Tensor, operand: tf.Tensor) -> tf.Tensor:
    rows = tf.cast(tf.reshape(inputs, [-1, operand.shape[0]]), operand.dtype)
    result = tf.cast(tf.matmul(rows, operand), tf.float32)
    output = tf.reshape(result, tf.concat([tf.shape(inputs)[:-1], [operand.shape[1]]], axis=0))
    output.set_shape([*inputs.shape[:-1], operand.shape[1]])
    return output
