"""The LSTM unit of Zaremba et al., as Luong et al. use it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.initializers import fresh
from tfnmt.layers.product_layer import ProductLayer
from tfnmt.layers.products import Products

LSTMState = tuple[tf.Tensor, tf.Tensor]
"""The output `h` and the cell `c`, float32 `[rows, units]`."""


@keras.saving.register_keras_serializable(package="tfnmt")
class LSTMUnit(ProductLayer):
    """An LSTM without biases and peepholes, as a recurrent cell::

        [i; f; o; g] = [sigmoid; sigmoid; sigmoid; tanh](W [x; h])
        c' = f * c + i * g
        h' = o * tanh(c')

    (Zaremba et al. 2015, section 3; Luong et al. 2015, section 4; that there is no bias is known from the authors'
    code.)

    Works alone as the cell of `keras.layers.RNN`.

    Args:
        units: size of the output and of the cell.
        kernel_initializer: draws `W` (paper: uniform in [-0.1, 0.1]).

    Call arguments:
        inputs: `[batch, features]`.
        states: list of the output and the cell, `[batch, units]` each.

    Returns:
        The new output and the list of new output and cell, float32.
    """

    def __init__(self, units: int, kernel_initializer: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.units = units
        self.state_size = [units, units]
        self.output_size = units
        self.kernel_initializer = keras.initializers.get(
            kernel_initializer or keras.initializers.RandomUniform(-0.1, 0.1)
        )

    def build(self, input_shape: tuple[int | None, ...]) -> None:
        # Column blocks of both kernels: input gate i, forget gate f, output gate o, candidate g.
        self.kernel = self.add_weight(
            name="kernel", shape=(input_shape[-1], 4 * self.units), initializer=fresh(self.kernel_initializer)
        )
        self.recurrent_kernel = self.add_weight(
            name="recurrent_kernel",
            shape=(self.units, 4 * self.units),
            initializer=fresh(self.kernel_initializer, 1),
        )
        self.built = True

    def project(self, inputs: tf.Tensor) -> tf.Tensor:
        """What the input adds to the gates and the candidate: `[..., features] -> [..., 4 * units]`."""
        return self.product(inputs, self.kernel)

    def in_loop(self, products: Products) -> Callable[[tf.Tensor, LSTMState], LSTMState]:
        """The state's update, for use inside a loop.

        Returns:
            A function of `projected [rows, 4 * units]` and the state that gives the new state.
        """
        recurrent_product = products.by(self.recurrent_kernel, self.compute_dtype)

        def update(projected: tf.Tensor, state: LSTMState) -> LSTMState:
            output, cell = state
            cell, output_gate = _cell(recurrent_product(output, plus=projected), cell)
            return _output(cell, output_gate), cell

        return update

    def call(self, inputs: tf.Tensor, states: list[tf.Tensor]) -> tuple[tf.Tensor, list[tf.Tensor]]:
        state = tuple(tf.cast(part, tf.float32) for part in states)  # Keras may have cast them
        output, cell = self.in_loop(Products())(self.project(inputs), state)
        return output, [output, cell]

    def get_initial_state(self, batch_size: Any = None) -> list[tf.Tensor]:
        return [tf.zeros([batch_size, self.units]), tf.zeros([batch_size, self.units])]

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "units": self.units,
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
        }


# The gradients below are written out because TensorFlow's own would pad the gradient of each gate to all four and add
# these up, and sum over broadcast axes that are not there.


@tf.custom_gradient
def _cell(sums: tf.Tensor, cell: tf.Tensor) -> tuple[tuple[tf.Tensor, tf.Tensor], Callable[..., Any]]:
    """`c' = f * c + i * g` and the gate `o`, from the sums `[rows, 4 * units]` of all gates and the cell."""
    input_sums, forget_sums, output_sums, candidate_sums = tf.split(sums, 4, axis=-1)
    input_gate, forget_gate, output_gate = tf.sigmoid(input_sums), tf.sigmoid(forget_sums), tf.sigmoid(output_sums)
    candidate = tf.tanh(candidate_sums)

    def gradient(cell_upstream: tf.Tensor, output_upstream: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        sums_gradients = [
            tf.raw_ops.SigmoidGrad(y=input_gate, dy=cell_upstream * candidate),
            tf.raw_ops.SigmoidGrad(y=forget_gate, dy=cell_upstream * cell),
            tf.raw_ops.SigmoidGrad(y=output_gate, dy=output_upstream),
            tf.raw_ops.TanhGrad(y=candidate, dy=cell_upstream * input_gate),
        ]
        return tf.concat(sums_gradients, axis=-1), cell_upstream * forget_gate

    return (forget_gate * cell + input_gate * candidate, output_gate), gradient


@tf.custom_gradient
def _output(cell: tf.Tensor, gate: tf.Tensor) -> tuple[tf.Tensor, Callable[..., Any]]:
    """`h' = o * tanh(c')`."""
    squashed = tf.tanh(cell)

    def gradient(upstream: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        return tf.raw_ops.TanhGrad(y=squashed, dy=upstream * gate), upstream * squashed

    return gate * squashed, gradient
