"""The gated hidden unit of Cho et al. and Bahdanau et al."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.initializers import BlockInitializer
from tfnmt.layers.product_layer import ProductLayer
from tfnmt.layers.products import Products

SHUT = -1e9
"""Added to an update gate's sum: its sigmoid is 0."""


@keras.saving.register_keras_serializable(package="tfnmt")
class GatedUnit(ProductLayer):
    """The gated hidden unit, exactly as in the papers, as a recurrent cell.

    With `x` the input and `h` the state::

        z  = sigmoid(W_z x + U_z h)                     update gate
        r  = sigmoid(W_r x + U_r h)                     reset gate
        h~ = tanh(W x + U (r * h) + b)                  candidate
        h' = (1 - z) * h + z * h~

    The reset gate multiplies the state *before* the product, and `z = 1` takes the *new* state; Keras's own GRU does
    neither by default. Only the candidate has a bias. (Bahdanau et al. 2015, appendix A.1.1 and A.1.2; the place of
    the bias from the authors' GroundHog code.)

    Works alone as the cell of `keras.layers.RNN`. The encoders and decoders here call `project` once for all time steps
    and `in_loop` for what remains inside it.

    Args:
        units: size of the state.
        kernel_initializer: draws `W_z`, `W_r`, `W` (paper: N(0, 0.01^2)).
        recurrent_initializer: draws `U_z`, `U_r`, `U` (paper: orthogonal).

    Call arguments:
        inputs: `[batch, features]`.
        states: list of one tensor `[batch, units]`.

    Returns:
        The new state `[batch, units]` and the list of it, float32.
    """

    def __init__(
        self,
        units: int,
        kernel_initializer: Any = None,
        recurrent_initializer: Any = "orthogonal",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.units = units
        self.state_size = units
        self.output_size = units
        self.kernel_initializer = keras.initializers.get(
            kernel_initializer or keras.initializers.RandomNormal(stddev=0.01)
        )
        self.recurrent_initializer = keras.initializers.get(recurrent_initializer)

    def build(self, input_shape: tuple[int | None, ...]) -> None:
        """Args: input_shape: `[..., features]`."""
        features = input_shape[-1]
        # Column blocks: update gate z, reset gate r, candidate.
        self.kernel = self.add_weight(
            name="kernel",
            shape=(features, 3 * self.units),
            initializer=BlockInitializer(self.kernel_initializer, 3),
        )
        self.gate_kernel = self.add_weight(
            name="gate_kernel",
            shape=(self.units, 2 * self.units),
            initializer=BlockInitializer(self.recurrent_initializer, 2),
        )
        self.candidate_kernel = self.add_weight(
            name="candidate_kernel",
            shape=(self.units, self.units),
            initializer=BlockInitializer(self.recurrent_initializer, 1),
        )
        self.bias = self.add_weight(name="bias", shape=(self.units,), initializer="zeros")
        self.built = True

    def project(self, inputs: tf.Tensor, read: tf.Tensor | None = None) -> tf.Tensor:
        """What the input adds to both gates and the candidate.

        Args:
            inputs: `[..., features]`.
            read: bool `[...]`; where it is False the update gate is shut and the state copied, exactly.

        Returns:
            `[..., 3 * units]`.
        """
        columns = tf.concat([tf.zeros([2 * self.units]), tf.convert_to_tensor(self.bias)], axis=0)
        if read is not None:
            update_columns = tf.one_hot(0, 3)[:, tf.newaxis] * tf.ones([3, self.units])
            shut = tf.where(read, 0.0, SHUT)[..., tf.newaxis]
            columns += shut * tf.reshape(update_columns, [3 * self.units])
        return self.product(inputs, self.kernel) + columns

    def in_loop(self, products: Products) -> Callable[[tf.Tensor, tf.Tensor], tf.Tensor]:
        """The state's update, for use inside a loop.

        Returns:
            A function of `projected [rows, 3 * units]` and `state [rows, units]` that gives the new state.
        """
        gate_product = products.by(self.gate_kernel, self.compute_dtype)
        candidate_product = products.by(self.candidate_kernel, self.compute_dtype)
        blocks = [2 * self.units, self.units]

        def update(projected: tf.Tensor, state: tf.Tensor) -> tf.Tensor:
            gate_sums, candidate_sums = tf.split(projected, blocks, axis=-1)
            update_gate, reset_state = _gates(gate_product(state, plus=gate_sums), state)
            return _mix(candidate_product(reset_state, plus=candidate_sums), update_gate, state)

        return update

    def call(self, inputs: tf.Tensor, states: list[tf.Tensor]) -> tuple[tf.Tensor, list[tf.Tensor]]:
        state = self.in_loop(Products())(self.project(inputs), tf.cast(states[0], tf.float32))
        return state, [state]

    def get_initial_state(self, batch_size: Any = None) -> list[tf.Tensor]:
        return [tf.zeros([batch_size, self.units])]

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "units": self.units,
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
            "recurrent_initializer": keras.initializers.serialize(self.recurrent_initializer),
        }


# The gradients below are written out because TensorFlow's own would sum over broadcast axes that are not there: with a
# batch of unknown size it cannot know. In a loop those sums cost more than the arithmetic.


@tf.custom_gradient
def _gates(sums: tf.Tensor, state: tf.Tensor) -> tuple[tuple[tf.Tensor, tf.Tensor], Callable[..., Any]]:
    """`z` and `r * h` from the sums `[rows, 2 * units]` and the state."""
    gates = tf.sigmoid(sums)
    update_gate, reset_gate = tf.split(gates, 2, axis=-1)

    def gradient(update_upstream: tf.Tensor, reset_upstream: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        gates_upstream = tf.concat([update_upstream, reset_upstream * state], axis=-1)
        return tf.raw_ops.SigmoidGrad(y=gates, dy=gates_upstream), reset_upstream * reset_gate

    return (update_gate, reset_gate * state), gradient


@tf.custom_gradient
def _mix(sums: tf.Tensor, update_gate: tf.Tensor, state: tf.Tensor) -> tuple[tf.Tensor, Callable[..., Any]]:
    """`(1 - z) * h + z * tanh(sums)`."""
    candidate = tf.tanh(sums)
    change = candidate - state

    def gradient(upstream: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        updated = upstream * update_gate
        return tf.raw_ops.TanhGrad(y=candidate, dy=updated), upstream * change, upstream - updated

    return state + update_gate * change, gradient
