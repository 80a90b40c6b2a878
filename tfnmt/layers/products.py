"""The matrix products inside a loop over time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import keras
import tensorflow as tf


class Product(Protocol):
    """`(inputs [..., m], plus [..., n] or None) -> inputs W + plus`, float32 `[..., n]`."""

    def __call__(self, inputs: tf.Tensor, plus: tf.Tensor | None = None) -> tf.Tensor: ...


class Products:
    """Makes products with a fixed matrix, read and cast once.

    A layer's `in_loop(products)` asks here for `x -> x W`, and for every other tensor that it reads at each step, so
    that who runs the loop decides how their gradients are taken: plainly, as here, or by `KeptProducts`.
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

    def fixed(self, tensors: Any) -> Any:
        """A nest of tensors or variables, as tensors, that a loop reads at each step and does not change."""
        return tf.nest.map_structure(tf.convert_to_tensor, tensors)


class Multiplication(NamedTuple):
    """Rows `[rows, m]` times a matrix, and upstream gradients `[rows, n]` times its transpose."""

    forward: Callable[[tf.Tensor], tf.Tensor]
    transposed: Callable[[tf.Tensor], tf.Tensor]


class KeptProducts(Products):
    """Products of a loop whose results are kept, so that a second loop can take its gradient.

    `tfnmt.layers.recurrence.scan` runs both loops. The first works each product out and keeps it. The second walks
    back and takes each step again under a gradient tape: everything cheap is computed anew, the products are those that
    were kept. It notes what each product was given, `x_t`, and the gradient of its result, `dy_t`; after it the
    gradient of a matrix, `sum_t x_t^T dy_t`, is one large product over all times instead of a small one at each.

    Each product may be used once a step, with one row for each sentence of the batch.
    """

    def __init__(self) -> None:
        self.matrices: list[Matrix] = []
        self.constants: list[tf.Tensor] = []  # what `fixed` was given and has a gradient, each once
        self._step: _Step = _Step()

    def by(self, kernel: keras.Variable, dtype: str) -> Product:
        matrix = tf.convert_to_tensor(kernel)
        operand = tf.cast(matrix, dtype)
        times = self._times(
            Matrix(matrix, dtype),
            Multiplication(
                lambda rows: multiply(rows, operand),
                lambda upstream: multiply(upstream, operand, transpose=True),
            ),
        )

        def product(inputs: tf.Tensor, plus: tf.Tensor | None = None) -> tf.Tensor:
            rows = tf.reshape(inputs, [-1, operand.shape[0]])
            added = None if plus is None else tf.reshape(plus, [-1, operand.shape[1]])
            return _in_shape_of(inputs, times(rows, added))

        return product

    def by_sentence(self, matrix: tf.Tensor, dtype: str) -> Callable[[tf.Tensor], tf.Tensor]:
        operand = tf.cast(matrix, dtype)
        times = self._times(
            Matrix(matrix, dtype),
            Multiplication(
                lambda rows: _multiply_by_sentence(rows, operand),
                lambda upstream: _multiply_by_sentence(upstream, operand, transpose=True),
            ),
        )
        # one hypothesis a sentence
        return lambda inputs: times(tf.squeeze(inputs, axis=1), None)[:, tf.newaxis]

    def fixed(self, tensors: Any) -> Any:
        tensors = super().fixed(tensors)
        for tensor in tf.nest.flatten(tensors):
            if tensor.dtype.is_floating and not any(tensor is constant for constant in self.constants):
                self.constants.append(tensor)
        return tensors

    def _times(
        self, matrix: Matrix, multiplication: Multiplication
    ) -> Callable[[tf.Tensor, tf.Tensor | None], tf.Tensor]:
        number = len(self.matrices)
        self.matrices.append(matrix)
        return lambda rows, plus: self._step.product(number, multiplication, rows, plus)

    def keep(self) -> dict[int, tf.Tensor]:
        """Before a step of the first loop: where it puts the product of each matrix."""
        self._step = _Step()
        return self._step.results

    def replay(self, kept: list[tf.Tensor]) -> dict[int, tf.Tensor]:
        """Before a step of the second loop, with the products of the first: where it puts what each was given."""
        self._step = _StepAgain(kept)
        return self._step.given


class _Step:
    """A step whose products are worked out."""

    def __init__(self) -> None:
        self.results: dict[int, tf.Tensor] = {}

    def product(self, number: int, by: Multiplication, rows: tf.Tensor, plus: tf.Tensor | None) -> tf.Tensor:
        result = by.forward(rows)
        self.results[number] = result if plus is None else result + plus
        return self.results[number]


class _StepAgain(_Step):
    """A step whose products are known; the gradient of each reaches what it was given, what was added, and itself."""

    def __init__(self, kept: list[tf.Tensor]) -> None:
        super().__init__()
        self.kept = kept
        self.given: dict[int, tf.Tensor] = {}

    def product(self, number: int, by: Multiplication, rows: tf.Tensor, plus: tf.Tensor | None) -> tf.Tensor:
        @tf.custom_gradient
        def again(kept: tf.Tensor, rows: tf.Tensor, *plus: tf.Tensor) -> tuple[tf.Tensor, Callable[..., Any]]:
            return tf.identity(kept), lambda upstream: (upstream, by.transposed(upstream), *(upstream for _ in plus))

        self.given[number] = rows
        return again(self.kept[number], rows, *([] if plus is None else [plus]))


class Matrix(NamedTuple):
    """The matrix `[m, n]`, or `[rows, m, n]` with one a sentence, of a product in `dtype`."""

    tensor: tf.Tensor
    dtype: str

    def gradient(self, given: tf.Tensor, upstream: tf.Tensor) -> tf.Tensor:
        """`sum_t x_t^T dy_t`, of what the product was given `[steps, rows, m]` and its gradients `[steps, rows, n]`."""
        given, upstream = tf.cast(given, self.dtype), tf.cast(upstream, self.dtype)
        if self.tensor.shape.rank == 3:
            given, upstream = (tf.transpose(part, [1, 0, 2]) for part in (given, upstream))
        else:
            given, upstream = (tf.reshape(part, [-1, part.shape[-1]]) for part in (given, upstream))
        return tf.cast(tf.matmul(given, upstream, transpose_a=True), self.tensor.dtype)


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
