"""The matrix products inside a loop over time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import keras
import tensorflow as tf


class Product(Protocol):
    """`(inputs [..., m], plus [..., n] or None) -> inputs W + plus`, float32 `[..., n]`."""

    def __call__(self, inputs: tf.Tensor, plus: tf.Tensor | None = None) -> tf.Tensor: ...


LookUp = Callable[[tf.Tensor], tf.Tensor]
"""Positions int32 `[batch, hypotheses, window]` -> the rows there `[batch, hypotheses, window, ...]`."""


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

    def fixed(self, tensors: Any, dtype: str = "float32") -> Any:
        """A nest of tensors or variables, as tensors, that a loop reads at each step and does not change.

        `dtype` is that of the products they go into. Here whoever reads casts what he reads, which may be little.
        """
        return tf.nest.map_structure(tf.convert_to_tensor, tensors)

    def look_up(self, tensor: tf.Tensor, dtype: str = "float32") -> LookUp:
        """Reads rows of a tensor `[batch, source, ...]` that a loop does not change; `dtype` as for `fixed`.

        Where each step reads only some of the rows, it costs no more for a longer source, and its gradient is worked
        out for these rows alone.
        """
        return lambda positions: tf.gather(tensor, positions, batch_dims=1)


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
        self.constants: list[Constant] = []  # what `fixed` was given and has a gradient
        self.tables: list[Table] = []  # what `look_up` was given
        self._step = _Step(0)
        self._ways_back: list[WayBack] = []

    def by(self, kernel: keras.Variable, dtype: str) -> Product:
        times, (size, width) = self._times(tf.convert_to_tensor(kernel), dtype), kernel.shape

        def product(inputs: tf.Tensor, plus: tf.Tensor | None = None) -> tf.Tensor:
            added = None if plus is None else tf.reshape(plus, [-1, width])
            return _in_shape_of(inputs, times(tf.reshape(inputs, [-1, size]), added))

        return product

    def by_sentence(self, matrix: tf.Tensor, dtype: str) -> Callable[[tf.Tensor], tf.Tensor]:
        times = self._times(matrix, dtype)
        return lambda inputs: times(tf.squeeze(inputs, axis=1), None)[:, tf.newaxis]  # one hypothesis a sentence

    def fixed(self, tensors: Any, dtype: str = "float32") -> Any:
        """Cast before the loop: its two loops would read and cast everything three times a step."""
        return tf.nest.map_structure(lambda tensor: self._constant(tensor, dtype), super().fixed(tensors))

    def _constant(self, tensor: tf.Tensor, dtype: str) -> tf.Tensor:
        if not tensor.dtype.is_floating:
            return tensor
        for known in self.constants:
            if known.tensor is tensor and known.operand.dtype == dtype:
                return known.operand
        self.constants.append(Constant(tensor, tf.cast(tensor, dtype)))
        return self.constants[-1].operand

    def look_up(self, tensor: tf.Tensor, dtype: str = "float32") -> LookUp:
        if not tensor.dtype.is_floating:
            return super().look_up(tensor, dtype)
        number, table = len(self.tables), Table(tensor, tf.cast(tensor, dtype))
        self.tables.append(table)
        return lambda positions: self._step.look_up(number, table, positions)

    def _times(self, tensor: tf.Tensor, dtype: str) -> Callable[[tf.Tensor, tf.Tensor | None], tf.Tensor]:
        number, matrix = len(self.matrices), Matrix(tensor, tf.cast(tensor, dtype))
        self.matrices.append(matrix)
        return lambda rows, plus: self._step.product(number, matrix, rows, plus)

    def keep(self) -> list[tf.Tensor]:
        """Before a step of the first loop: where it puts the product of each matrix."""
        self._step = _Step(len(self.matrices))
        return self._step.noted

    def turn(self) -> None:
        """Before the second loop."""
        self._ways_back = [matrix.way_back() for matrix in self.matrices]

    def replay(
        self, kept: list[tf.Tensor], watch: Callable[[tf.Tensor], None]
    ) -> tuple[list[tf.Tensor], list[LookedUp]]:
        """Before a step of the second loop.

        Args:
            kept: the products of that step of the first loop.
            watch: tells the tape of what has a gradient, before it is used.

        Returns:
            Where the step puts what each product was given, in the dtype of the product, and what it looks up.
        """
        self._step = step = _StepAgain(kept, self._ways_back, watch)
        return step.noted, step.looked_up


class Constant(NamedTuple):
    """What a loop reads at each step.

    Attributes:
        tensor: what has the gradient, summed over the steps in its own dtype.
        operand: the same in the dtype of the products it goes into.
    """

    tensor: tf.Tensor
    operand: tf.Tensor


class Table(Constant):
    """What a loop reads some rows of at each step, `[batch, source, ...]`."""

    def rows(self, positions: tf.Tensor) -> tf.Tensor:
        """`[batch, hypotheses, window] -> [batch, hypotheses, window, ...]`."""
        return tf.gather(self.operand, positions, batch_dims=1)

    def added(self, total: tf.Tensor, positions: tf.Tensor, gradient: tf.Tensor) -> tf.Tensor:
        """`total`, like the tensor, with the gradient of those rows added in its place."""
        sentences = tf.reshape(tf.range(tf.shape(positions)[0]), [-1, *[1] * (positions.shape.rank - 1)])
        places = tf.stack([tf.broadcast_to(sentences, tf.shape(positions)), positions], axis=-1)
        return tf.tensor_scatter_nd_add(total, places, tf.cast(gradient, total.dtype))


class LookedUp(NamedTuple):
    """Rows that a step of the second loop has read: of which table, where, and what they were."""

    table: int
    positions: tf.Tensor
    rows: tf.Tensor


WayBack = Callable[[tf.Tensor], tf.Tensor]
"""Float32 `[rows, n] -> [rows, m]`, from the gradient of a product to that of what it was given."""


class Matrix(NamedTuple):
    """The matrix `[m, n]` of a product, or `[rows, m, n]` with one a sentence.

    Attributes:
        tensor: what has the gradient.
        operand: the same in the dtype of the product.
    """

    tensor: tf.Tensor
    operand: tf.Tensor

    def times(self, rows: tf.Tensor) -> tf.Tensor:
        """float32 `[rows, m] -> [rows, n]`."""
        by = multiply if self.tensor.shape.rank == 2 else _multiply_by_sentence
        return by(rows, self.operand)

    def way_back(self) -> WayBack:
        """That of gradients through the product, to be asked for before a loop and gone in it.

        On a CPU a few rows in float32 meet a matrix that lies across a quarter more slowly, in bfloat16 faster.
        """
        if self.tensor.shape.rank != 2:
            return lambda upstream: _multiply_by_sentence(upstream, self.operand, transpose=True)
        if self.operand.dtype != tf.float32:
            return lambda upstream: multiply(upstream, self.operand, transpose=True)
        across = tf.transpose(self.operand)
        return lambda upstream: multiply(upstream, across)

    def gradient(self, given: tf.Tensor, upstream: tf.Tensor) -> tf.Tensor:
        """`sum_t x_t^T dy_t`, of what the product was given `[steps, rows, m]` and its gradients `[steps, rows, n]`,
        both in the operand's dtype."""
        if self.tensor.shape.rank == 2:
            given, upstream = (tf.reshape(part, [-1, part.shape[-1]]) for part in (given, upstream))
        else:
            given, upstream = (tf.transpose(part, [1, 0, 2]) for part in (given, upstream))
        return tf.cast(tf.matmul(given, upstream, transpose_a=True), self.tensor.dtype)


class _Step:
    """A step whose products are worked out, and noted."""

    def __init__(self, products: int) -> None:
        self.noted: list[Any] = [None] * products

    def product(self, number: int, matrix: Matrix, rows: tf.Tensor, plus: tf.Tensor | None) -> tf.Tensor:
        result = matrix.times(rows)
        self.noted[number] = result if plus is None else result + plus
        return self.noted[number]

    def look_up(self, number: int, table: Table, positions: tf.Tensor) -> tf.Tensor:
        return table.rows(positions)


class _StepAgain(_Step):
    """A step whose products are known, and which notes what they were given; the gradient of each product reaches
    itself, what it was given, and what was added. That of rows that were looked up ends at the rows."""

    def __init__(self, kept: list[tf.Tensor], ways_back: list[WayBack], watch: Callable[[tf.Tensor], None]) -> None:
        super().__init__(len(kept))
        self.kept = kept
        self.ways_back = ways_back
        self.watch = watch
        self.looked_up: list[LookedUp] = []

    def product(self, number: int, matrix: Matrix, rows: tf.Tensor, plus: tf.Tensor | None) -> tf.Tensor:
        @tf.custom_gradient
        def again(kept: tf.Tensor, rows: tf.Tensor, *plus: tf.Tensor) -> tuple[tf.Tensor, Callable[..., Any]]:
            return tf.identity(kept), lambda upstream: (
                upstream, self.ways_back[number](upstream), *(upstream for _ in plus),
            )  # fmt: skip

        self.noted[number] = tf.cast(rows, matrix.operand.dtype)
        return again(self.kept[number], rows, *([] if plus is None else [plus]))

    def look_up(self, number: int, table: Table, positions: tf.Tensor) -> tf.Tensor:
        rows = tf.stop_gradient(super().look_up(number, table, positions))
        self.watch(rows)
        self.looked_up.append(LookedUp(number, positions, rows))
        return rows


def multiply(inputs: tf.Tensor, operand: tf.Tensor, transpose: bool = False) -> tf.Tensor:
    """float32 `[..., m]` times `operand [m, n]` (transposed: `[n, m]`) in the operand's dtype -> float32 `[..., n]`."""
    inputs = tf.convert_to_tensor(inputs)
    size, width = reversed(operand.shape) if transpose else operand.shape
    rows = tf.cast(inputs if inputs.shape.rank == 2 else tf.reshape(inputs, [-1, size]), operand.dtype)
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
