"""The papers' optimizers, each update one kernel.

Keras composes an update of a dozen operations over the whole table; TensorFlow has a kernel for each of these rules
that reads and writes every weight once. The rules and their arguments are Keras's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import keras
import tensorflow as tf


class KernelOptimizer(keras.optimizers.Optimizer):
    """An optimizer whose update of one variable is one TensorFlow kernel.

    A subclass names its `slots` and implements `update`. `apply` runs in a replica of any strategy, on gradients that
    all replicas share, so every replica's copy takes the same update.
    """

    slots: ClassVar[tuple[str, ...]] = ()

    def __init__(self, learning_rate: Any) -> None:
        super().__init__(learning_rate=learning_rate, name=type(self).__name__.lower())

    def build(self, variables: Sequence[keras.Variable]) -> None:
        if self.built:
            return
        super().build(variables)
        self._built_for = list(variables)
        self._values_of_slots = self.add_optimizer_variables(variables, list(self.slots)) if self.slots else ()

    def apply(self, grads: Sequence[tf.Tensor], trainable_variables: Sequence[keras.Variable] | None = None) -> None:
        """Updates the variables.

        Args:
            grads: one dense gradient a variable.
            trainable_variables: those that the optimizer was built with, in that order; None for just those.

        Raises:
            ValueError: another number of gradients than of variables.
        """
        if trainable_variables is not None:
            self.build(trainable_variables)
        variables = self._built_for if trainable_variables is None else trainable_variables
        if len(grads) != len(variables):
            raise ValueError(f"{len(grads)} gradients for {len(variables)} variables: each variable needs one.")
        for number, (gradient, variable) in enumerate(zip(grads, variables, strict=True)):
            slots = [values[number].value.handle for values in self._values_of_slots]
            dtype = variable.value.dtype  # the kernels trust that all they are given is of one
            rate, update = (tf.cast(number, dtype) for number in (self.learning_rate, self.iterations.value + 1))
            self.update(variable.value.handle, slots, tf.cast(gradient, dtype), rate, update)
        self.iterations.assign_add(1)

    def update(
        self, variable: tf.Tensor, slots: list[tf.Tensor], gradient: tf.Tensor, rate: tf.Tensor, update: tf.Tensor
    ) -> None:
        """One kernel: `variable` and `slots` are resource handles, `update` is the number of this update, from 1."""
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """The learning rate, as a number or a schedule; Keras's further options are not this optimizer's."""
        return {"learning_rate": super().get_config()["learning_rate"]}


@keras.saving.register_keras_serializable(package="tfnmt")
class Adam(KernelOptimizer):
    """Kingma and Ba (2015), algorithm 1 in the order of its section 2; Keras's `Adam`.

    Args:
        learning_rate: a number or a schedule.
        beta_1: decay of the gradient's mean.
        beta_2: decay of its square's.
        epsilon: added to the root.
    """

    slots = ("momentum", "velocity")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
    ) -> None:
        super().__init__(learning_rate)
        self.beta_1 = beta_1
        self.beta_2 = beta_2
        self.epsilon = epsilon

    def update(
        self, variable: tf.Tensor, slots: list[tf.Tensor], gradient: tf.Tensor, rate: tf.Tensor, update: tf.Tensor
    ) -> None:
        tf.raw_ops.ResourceApplyAdam(
            var=variable,
            m=slots[0],
            v=slots[1],
            beta1_power=self.beta_1**update,
            beta2_power=self.beta_2**update,
            lr=rate,
            beta1=self.beta_1,
            beta2=self.beta_2,
            epsilon=self.epsilon,
            grad=gradient,
        )

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "beta_1": self.beta_1,
            "beta_2": self.beta_2,
            "epsilon": self.epsilon,
        }


@keras.saving.register_keras_serializable(package="tfnmt")
class Adadelta(KernelOptimizer):
    """Zeiler (2012), algorithm 1; Keras's `Adadelta`. The papers have no learning rate: 1.

    Args:
        learning_rate: a number or a schedule.
        rho: decay of both averages.
        epsilon: added to both under the root.
    """

    slots = ("accumulated_gradient", "accumulated_update")

    def __init__(self, learning_rate: Any = 1.0, rho: float = 0.95, epsilon: float = 1e-6) -> None:
        super().__init__(learning_rate)
        self.rho = rho
        self.epsilon = epsilon

    def update(
        self, variable: tf.Tensor, slots: list[tf.Tensor], gradient: tf.Tensor, rate: tf.Tensor, update: tf.Tensor
    ) -> None:
        tf.raw_ops.ResourceApplyAdadelta(
            var=variable,
            accum=slots[0],
            accum_update=slots[1],
            lr=rate,
            rho=self.rho,
            epsilon=self.epsilon,
            grad=gradient,
        )

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "rho": self.rho,
            "epsilon": self.epsilon,
        }


@keras.saving.register_keras_serializable(package="tfnmt")
class SGD(KernelOptimizer):
    """Plain gradient descent.

    Args:
        learning_rate: a number or a schedule.
    """

    def __init__(self, learning_rate: Any = 1.0) -> None:
        super().__init__(learning_rate)

    def update(
        self, variable: tf.Tensor, slots: list[tf.Tensor], gradient: tf.Tensor, rate: tf.Tensor, update: tf.Tensor
    ) -> None:
        tf.raw_ops.ResourceApplyGradientDescent(var=variable, alpha=rate, delta=gradient)
