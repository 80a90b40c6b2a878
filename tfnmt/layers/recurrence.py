"""The loop over time that encoders and decoders share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import tensorflow as tf

from tfnmt.layers.products import KeptProducts, Products

Update = Callable[[Any, Any], tuple[Any, Any]]
"""`(inputs at one time, state) -> (outputs at that time, new state)`, nests of `[batch, ...]`."""


def scan(
    in_loop: Callable[[Products], Update],
    inputs: Any,
    state: Any,
    output_specs: Any,
    reverse: bool = False,
) -> tuple[Any, Any]:
    """Runs an update along the time axis.

    Its gradient is a second loop, backwards, that takes each step again with the products of the first (`KeptProducts`
    says why). So the update may read only its inputs, its state, and what it asked `in_loop`'s products for: a weight
    or a tensor that it takes from elsewhere gets no gradient.

    Args:
        in_loop: gives the update, with its products and fixed tensors taken from what it is given.
        inputs: nest of `[batch, time, ...]`, any batch and time.
        state: nest of `[batch, ...]`, the state before the first step; keeps its dtypes.
        output_specs: nest of `tf.TensorSpec`, what the update outputs at one time.
        reverse: walk from the last time to the first; outputs stay at their own times.

    Returns:
        The outputs, a nest of `[batch, time, ...]`, and the last state.
    """
    products = KeptProducts()
    loop = _Loop(products, in_loop(products), inputs, state, output_specs, reverse)

    @tf.custom_gradient
    def run(*arguments: tf.Tensor) -> tuple[tuple[tf.Tensor, ...], Callable[..., Any]]:
        results, kept = loop.forward(*loop.parted(arguments))
        return results, lambda *upstream: loop.backward(kept, upstream)

    matrices = [matrix.tensor for matrix in products.matrices]
    constants = [constant.tensor for constant in products.constants]
    tables = [table.tensor for table in products.tables]
    results = run(*tf.nest.flatten((inputs, state)), *matrices, *constants, *tables)
    return tf.nest.pack_sequence_as((output_specs, state), results)


class _Kept(NamedTuple):
    """What the loop leaves for its gradient, and how many times there were."""

    steps: tf.Tensor
    inputs: Any  # nest of `[batch, time, ...]`
    states: Any  # nest of arrays, before each time
    products: list[tf.TensorArray]


class _Loop:
    """Both loops of one scan."""

    def __init__(
        self, products: KeptProducts, update: Update, inputs: Any, state: Any, output_specs: Any, reverse: bool
    ) -> None:
        self.products = products
        self.update = update
        self.structures = inputs, state
        self.output_specs = output_specs
        self.reverse = reverse

    def parted(self, arguments: Sequence[tf.Tensor]) -> tuple[Any, Any]:
        """Inputs and state, of all flat arguments."""
        number = len(tf.nest.flatten(self.structures))
        inputs, state = tf.nest.pack_sequence_as(self.structures, arguments[:number])
        return inputs, state

    def forward(self, inputs: Any, state: Any) -> tuple[tuple[tf.Tensor, ...], _Kept]:
        """Flat outputs and last state, and what is kept."""
        steps = tf.shape(tf.nest.flatten(inputs)[0])[1]
        arrays = (
            _arrays(self.output_specs, steps),
            _arrays(tf.nest.map_structure(lambda part: tf.TensorSpec(part.shape, part.dtype), state), steps),
            _arrays([tf.TensorSpec([None, matrix.tensor.shape[-1]]) for matrix in self.products.matrices], steps),
        )

        def body(count: tf.Tensor, state: Any, arrays: Any) -> tuple[tf.Tensor, Any, Any]:
            time = steps - 1 - count if self.reverse else count
            results = self.products.keep()
            outputs, new_state = self.update(_at(time, inputs), state)
            return count + 1, new_state, _write(arrays, time, (outputs, state, results))

        _, state, (outputs, states, kept) = tf.while_loop(
            lambda count, *_: count < steps, body, (tf.constant(0), state, arrays), maximum_iterations=steps
        )
        stacked = tf.nest.map_structure(_stacked, outputs)
        return tuple(tf.nest.flatten((stacked, state))), _Kept(steps, inputs, states, kept)

    def backward(self, kept: _Kept, upstream: Sequence[tf.Tensor]) -> list[tf.Tensor | None]:
        """The gradients of all flat arguments, of those of all flat results."""
        steps, products = kept.steps, self.products
        operands = [matrix.operand for matrix in products.matrices]
        outputs_upstream, state_upstream = (
            _with_gradient(part) for part in tf.nest.pack_sequence_as((self.output_specs, self.structures[1]), upstream)
        )
        arrays_kept = (kept.states, kept.products)
        arrays = (
            _arrays([_spec(part) for part in _with_gradient(self.structures[0])], steps),
            *(
                _arrays([tf.TensorSpec([None, part.shape[axis]], part.dtype) for part in operands], steps)
                for axis in (-2, -1)
            ),
        )
        products.turn()

        def body(
            count: tf.Tensor, state_upstream: Any, sums: Any, totals: Any, arrays: Any
        ) -> tuple[tf.Tensor, Any, Any, Any, Any]:
            time = count if self.reverse else steps - 1 - count
            # Each a tensor of its own: run eagerly, two parts of a state may be one and the same.
            state, results = tf.nest.map_structure(tf.identity, _read(arrays_kept, time))
            inputs, upstream_now = _at(time, (kept.inputs, outputs_upstream))
            read = [constant.operand for constant in products.constants]
            sources = (_with_gradient(inputs), _with_gradient(state), results, read)
            with tf.GradientTape(watch_accessed_variables=False) as tape:
                tape.watch(sources)
                given, looked_up = products.replay(results, tape.watch)
                outputs, new_state = self.update(inputs, state)
            (inputs_gradient, state_gradient, results_gradient, more), rows_gradient = tape.gradient(
                [*_with_gradient(outputs), *_with_gradient(new_state)],
                (sources, [found.rows for found in looked_up]),
                output_gradients=[*upstream_now, *state_upstream],
                unconnected_gradients=tf.UnconnectedGradients.ZERO,
            )
            sums = [total + tf.cast(gradient, total.dtype) for total, gradient in zip(sums, more, strict=True)]
            totals = list(totals)
            for found, gradient in zip(looked_up, rows_gradient, strict=True):
                table = products.tables[found.table]
                totals[found.table] = table.added(totals[found.table], found.positions, gradient)
            results_gradient = [tf.cast(part, by.dtype) for part, by in zip(results_gradient, operands, strict=True)]
            written = _write(arrays, time, (inputs_gradient, given, results_gradient))
            return count + 1, state_gradient, sums, totals, written

        sums = [tf.zeros_like(constant.tensor) for constant in products.constants]
        totals = [tf.zeros_like(table.tensor) for table in products.tables]
        _, state_gradient, sums, totals, (inputs_gradient, given, results_gradient) = tf.while_loop(
            lambda count, *_: count < steps,
            body,
            (tf.constant(0), state_upstream, sums, totals, arrays),
            maximum_iterations=steps,
        )
        matrices = [
            matrix.gradient(rows.stack(), gradients.stack())
            for matrix, rows, gradients in zip(products.matrices, given, results_gradient, strict=True)
        ]
        inputs_gradient = [_stacked(array) for array in inputs_gradient]
        return [*self._placed([*inputs_gradient, *state_gradient]), *matrices, *sums, *totals]

    def _placed(self, gradients: list[tf.Tensor]) -> list[tf.Tensor | None]:
        """Those of inputs and state, None where there is none."""
        following = iter(gradients)
        return [next(following) if part.dtype.is_floating else None for part in tf.nest.flatten(self.structures)]


def _with_gradient(tensors: Any) -> list[tf.Tensor]:
    """What of a nest can have a gradient, flat."""
    return [tensor for tensor in tf.nest.flatten(tensors) if tensor.dtype.is_floating]


def _spec(tensor: tf.Tensor) -> tf.TensorSpec:
    """What `[batch, time, ...]` is at one time."""
    return tf.TensorSpec([tensor.shape[0], *tensor.shape[2:]], tensor.dtype)


def _arrays(specs: Any, steps: tf.Tensor) -> Any:
    return tf.nest.map_structure(
        lambda spec: tf.TensorArray(spec.dtype, size=steps, element_shape=spec.shape, clear_after_read=False), specs
    )


def _at(time: tf.Tensor, tensors: Any) -> Any:
    """A nest of `[batch, time, ...]` at one time. Cheaper than to cut it into an array before the loop."""
    return tf.nest.map_structure(lambda tensor: tf.gather(tensor, time, axis=1), tensors)


def _stacked(array: tf.TensorArray) -> tf.Tensor:
    """An array over time as `[batch, time, ...]`."""
    stacked = array.stack()
    return tf.transpose(stacked, [1, 0, *range(2, stacked.shape.rank)])


def _read(arrays: Any, time: tf.Tensor) -> Any:
    return tf.nest.map_structure(lambda array: array.read(time), arrays)


def _write(arrays: Any, time: tf.Tensor, values: Any) -> Any:
    return tf.nest.map_structure(lambda array, value: array.write(time, value), arrays, values)


def keep_at_padding(update: Callable[[Any, Any], Any], output: Callable[[Any], Any] = lambda state: state) -> Update:
    """A state update for `scan` that copies the previous state at padded positions.

    Args:
        update: `(inputs, state) -> new state`.
        output: what of each new state is an output.

    Returns:
        An update whose inputs are `(inputs, mask [batch, 1] bool)`.
    """

    def masked(inputs_and_mask: tuple[Any, tf.Tensor], state: Any) -> tuple[Any, Any]:
        inputs, mask = inputs_and_mask
        new_state = tf.nest.map_structure(lambda new, old: tf.where(mask, new, old), update(inputs, state), state)
        return output(new_state), new_state

    return masked
