"""The base of the recurrent decoders: what runs before, inside and after the loop."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tfnmt.layers.loop_invariants import StepProducts
from tfnmt.layers.products import Products
from tfnmt.layers.recurrence import Update, scan
from tfnmt.models.decoder import Decoder
from tfnmt.models.memory import Memory


class RecurrentDecoder(Decoder):
    """A decoder whose `step` and `call` are made of the same three parts.

    * `inputs(ids)`: everything that depends on the words alone, for all times at once;
    * `in_loop(memory, products)`: the recurrence, attention included;
    * `features(inputs, outputs)`: the read-out, for all times at once.

    So teacher forcing equals step-by-step decoding by construction. A subclass implements the three and
    `initial_state`, and sets `state_specs` and `output_specs`: the outputs of the recurrence are a pair whose second
    part is the attention weights `[rows, source]`.
    """

    output_specs: Any

    def inputs(self, ids: tf.Tensor, training: bool) -> Any:
        """`ids [..., ]` -> nest of `[..., n]`."""
        raise NotImplementedError

    def in_loop(self, memory: Memory, products: Products) -> Update:
        """The recurrence: a function `(inputs of one time, state) -> ((outputs, weights), new state)`."""
        raise NotImplementedError

    def features(self, inputs: Any, outputs: Any, training: bool) -> tf.Tensor:
        """Nests of `[..., n]` -> features `[..., features]`."""
        raise NotImplementedError

    def step(self, ids: tf.Tensor, state: Any, memory: Memory) -> tuple[tf.Tensor, Any, tf.Tensor]:
        inputs = self.inputs(ids, training=False)
        (outputs, weights), state = self.in_loop(memory, StepProducts())(inputs, state)
        return self.features(inputs, outputs, training=False), state, weights

    def call(self, input_ids: tf.Tensor, memory: Memory, training: bool = False) -> tuple[tf.Tensor, tf.Tensor]:
        """Teacher forcing.

        Args:
            input_ids: int32 `[batch, target]`, the start symbol and the words.
            memory: prepared.

        Returns:
            Features `[batch, target, features]` and attention weights `[batch, target, source]`.
        """
        inputs = self.inputs(input_ids, training)
        outputs, weights = self.outputs(inputs, memory)
        return self.features(inputs, outputs, training), weights

    def outputs(self, inputs: Any, memory: Memory) -> tuple[Any, tf.Tensor]:
        """What the recurrence puts out at all times, nest of `[batch, target, ...]`, and the weights of attention."""
        (outputs, weights), _ = scan(
            lambda products: self.in_loop(memory, products),
            inputs,
            self.initial_state(memory),
            output_specs=self.output_specs,
        )
        return outputs, weights
