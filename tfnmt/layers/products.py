"""The matrix products inside a loop over time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import keras
import tensorflow as tf


class Product(Protocol):
    """`(inputs [..., m], plus [..., n] or None) -> inputs W + plus`, float32 `[..., n]`."""

    def __call__(self, inputs: tf.Tensor, plus: tf.Tensor | None = None) -> tf.Tensor: ...


class Products:
    """Makes products with a fixed matrix, read and cast once.

    A layer's `in_loop(products)` asks here for `x -> x W`, so that who runs the loop decides how the gradient of `W` is
    taken: plainly, as here, or once after the loop (`DeferredProducts`).
    """

    def by(self, kernel: keras.Variable, dtype: str) -> Product:
        """The product with `kernel [m, n]` in `dtype`: float32 `[..., m] -> [..., n]`."""
        operand = tf.cast(tf.convert_to_tensor(kernel), dtype)

        def product(inputs: tf.Tensor, plus: tf.Tensor | None = None) -> tf.Tensor:
            result = multiply(inputs, operand)
            return result if plus is None else result + plus

        return product

    def by_sentence(self, matrix: tf.Tensor, dtype: str) -> Callable[[tf.Tensor], tf.Tensor]:
        """The product with each sentence's own `matrix [batch, m, n]`: float32 `[batch, hypotheses, m] -> [..., n]`."""
        operand = tf.cast(matrix, dtype)
        return lambda inputs: tf.cast(tf.matmul(tf.cast(inputs, dtype), operand), tf.float32)


class DeferredProducts(Products):
    """Products whose matrix gradients are one large product after the loop instead of a small one at each step.

    In a loop over time `y_t = x_t W`, the gradient of `W` is `sum_t x_t^T dy_t`: one product over all times at once.
    Inside the loop `W` is a constant, and each product also takes a zero `slot_t` whose gradient is `dy_t`. All slots
    are made from `W` by a function whose gradient is that one product. The mathematics is that of `Products`.

    `tfnmt.layers.recurrence.scan` runs it: `open` before the loop, `enter` and `leave` around each step, `close` after.
    Each product may be used once a step, with one row for each sentence of the batch.
    """

    def __init__(self) -> None:
        self._deferred: list[_Deferred] = []
        self._slots: list[tf.Tensor] = []
        self._inputs: list[Any] = []

    def by(self, kernel: keras.Variable, dtype: str) -> Product:
        number = self._defer(tf.convert_to_tensor(kernel), dtype)
        operand = tf.stop_gradient(tf.cast(tf.convert_to_tensor(kernel), dtype))
        multiply_rows = _with_slot(
            lambda rows: multiply(rows, operand),
            lambda upstream: multiply(upstream, operand, transpose=True),
        )

        def product(inputs: tf.Tensor, plus: tf.Tensor | None = None) -> tf.Tensor:
            rows = tf.reshape(inputs, [-1, operand.shape[0]])
            self._inputs[number] = tf.stop_gradient(rows)  # kept for the matrix alone
            added = None if plus is None else tf.reshape(plus, [-1, operand.shape[1]])
            return _in_shape_of(inputs, multiply_rows(rows, self._slots[number], added))

        return product

    def by_sentence(self, matrix: tf.Tensor, dtype: str) -> Callable[[tf.Tensor], tf.Tensor]:
        number = self._defer(matrix, dtype)
        operand = tf.stop_gradient(tf.cast(matrix, dtype))
        multiply_rows = _with_slot(
            lambda rows: _multiply_by_sentence(rows, operand),
            lambda upstream: _multiply_by_sentence(upstream, operand, transpose=True),
        )

        def product(inputs: tf.Tensor) -> tf.Tensor:
            rows = tf.squeeze(inputs, axis=1)  # one hypothesis a sentence
            self._inputs[number] = tf.stop_gradient(rows)  # kept for the matrix alone
            return multiply_rows(rows, self._slots[number], None)[:, tf.newaxis]

        return product

    def _defer(self, matrix: tf.Tensor, dtype: str) -> int:
        self._deferred.append(_Deferred(matrix, dtype))
        return len(self._deferred) - 1

    def open(self, steps: tf.Tensor, rows: tf.Tensor) -> tuple[list[tf.Tensor], list[tf.TensorSpec]]:
        """The slots of all steps, `[steps, rows, n]` a product, and what `leave` will give, `[rows, m]` a product.

        What is kept travels as the bits of its numbers: of a float that leaves a loop TensorFlow takes a gradient, of
        zeros where there is none, at each step.
        """
        slots = [deferred.slots(steps, rows) for deferred in self._deferred]
        return slots, [tf.TensorSpec([None, deferred.matrix.shape[-2]], tf.int32) for deferred in self._deferred]

    def enter(self, slots: list[tf.Tensor]) -> None:
        """Before a step: its slots."""
        self._slots = slots
        self._inputs = [None] * len(self._deferred)

    def leave(self) -> list[Any]:
        """After a step: what each product was given."""
        return [tf.bitcast(rows, tf.int32) for rows in self._inputs]

    def close(self, stacked: list[tf.Tensor]) -> None:
        """After the loop: what each product was given at all steps, `[steps, rows, m]`."""
        for deferred, inputs in zip(self._deferred, stacked, strict=True):
            deferred.inputs = tf.bitcast(inputs, tf.float32)


class _Deferred:
    """One product of a loop: its matrix `[m, n]` or `[rows, m, n]`, and in the end what it was given at all steps."""

    def __init__(self, matrix: tf.Tensor, dtype: str) -> None:
        self.matrix = matrix
        self.dtype = dtype
        self.inputs: tf.Tensor | None = None

    def slots(self, steps: tf.Tensor, rows: tf.Tensor) -> tf.Tensor:
        """Zeros `[steps, rows, n]` whose gradient becomes the gradient of the matrix."""
        size, width = self.matrix.shape[-2:]

        @tf.custom_gradient
        def made_of(matrix: tf.Tensor) -> tuple[tf.Tensor, Callable[[tf.Tensor], tf.Tensor]]:
            def gradient(upstream: tf.Tensor) -> tf.Tensor:
                inputs, outputs = tf.cast(self.inputs, self.dtype), tf.cast(upstream, self.dtype)
                if matrix.shape.rank == 3:
                    inputs, outputs = (tf.transpose(tensor, [1, 0, 2]) for tensor in (inputs, outputs))
                else:
                    inputs, outputs = tf.reshape(inputs, [-1, size]), tf.reshape(outputs, [-1, width])
                return tf.cast(tf.matmul(inputs, outputs, transpose_a=True), matrix.dtype)

            return tf.zeros([steps, rows, width]), gradient

        return made_of(self.matrix)


def multiply(inputs: tf.Tensor, operand: tf.Tensor, transpose: bool = False) -> tf.Tensor:
    """float32 `[..., m]` times `operand [m, n]` (transposed: `[n, m]`) in the operand's dtype -> float32 `[..., n]`."""
    inputs = tf.convert_to_tensor(inputs)
    size, width = reversed(operand.shape) if transpose else operand.shape
    rows = tf.cast(tf.reshape(inputs, [-1, size]), operand.dtype)
    result = tf.cast(tf.matmul(rows, operand, transpose_b=transpose), tf.float32)
    result.set_shape([None, width])
    return _in_shape_of(inputs, result)


def _multiply_by_sentence(rows: tf.Tensor, operand: tf.Tensor, transpose: bool = False) -> tf.Tensor:
    """float32 `[rows, m]` times `operand [rows, m, n]` (transposed: `[rows, n, m]`) -> float32 `[rows, n]`."""
    grouped = tf.cast(rows, operand.dtype)[:, tf.newaxis]
    return tf.cast(tf.squeeze(tf.matmul(grouped, operand, transpose_b=transpose), axis=1), tf.float32)


def _in_shape_of(inputs: tf.Tensor, rows: tf.Tensor) -> tf.Tensor:
    """`rows [rows, n]` with the leading axes of `inputs [..., m]`."""
    if inputs.shape.rank == 2:
        return rows
    output = tf.reshape(rows, tf.concat([tf.shape(inputs)[:-1], [rows.shape[-1]]], axis=0))
    output.set_shape([*inputs.shape[:-1], rows.shape[-1]])
    return output


def _with_slot(
    product: Callable[[tf.Tensor], tf.Tensor], transposed: Callable[[tf.Tensor], tf.Tensor]
) -> Callable[[tf.Tensor, tf.Tensor, tf.Tensor | None], tf.Tensor]:
    """`(rows, slot, plus) -> product(rows) + plus`, whose gradient reaches the slot as it reaches `plus`."""

    @tf.custom_gradient
    def alone(rows: tf.Tensor, slot: tf.Tensor) -> tuple[tf.Tensor, Callable[[tf.Tensor], Any]]:
        return product(rows), lambda upstream: (transposed(upstream), upstream)

    @tf.custom_gradient
    def added(rows: tf.Tensor, slot: tf.Tensor, plus: tf.Tensor) -> tuple[tf.Tensor, Callable[[tf.Tensor], Any]]:
        return product(rows) + plus, lambda upstream: (transposed(upstream), upstream, upstream)

    return lambda rows, slot, plus: alone(rows, slot) if plus is None else added(rows, slot, plus)
