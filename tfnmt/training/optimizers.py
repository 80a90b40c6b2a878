"""The papers' optimizers, each update one kernel.

Keras composes an update of a dozen operations over the whole table; TensorFlow has a kernel for each of these rules
that reads and writes every weight once. The rules and their arguments are Keras's.

A gradient that comes as rows of a table (`tf.IndexedSlices`) may be applied to these rows alone, at a cost that does
not grow with the table. For plain gradient descent and for Adagrad that is the dense update itself: a row without
gradient does not move, nor does its slot. The other rules keep averages that the dense update decays at every step, and
that move the weight on under Adam and momentum; the *lazy* update leaves rows without gradient wholly alone, as if no
step had been taken for them. Bias correction counts all steps in both. (The authors of Jean et al. 2015 train so: the
accumulators of rows outside a partition are put aside with the rows.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import keras
import tensorflow as tf

from tfnmt.training.gradients import Gradient, dense


class Weight(NamedTuple):
    """What one kernel is given.

    Attributes:
        handle: of the variable.
        slots: handles of its slots.
        gradient: of the whole variable, or of some rows of it.
        rate: the learning rate.
        update: the number of this update, from 1.
    """

    handle: tf.Tensor
    slots: list[tf.Tensor]
    gradient: tf.Tensor
    rate: tf.Tensor
    update: tf.Tensor


class KernelOptimizer(keras.optimizers.Optimizer):
    """An optimizer whose update of one variable is one TensorFlow kernel.

    A subclass names its `slots` and implements `update` and `update_rows`. `apply` runs in a replica of any strategy,
    on gradients that all replicas share, so every replica's copy takes the same update.

    Attributes:
        lazy: whether rows of a table that got no gradient are left alone, slots included, where the rule itself would
            decay them. Without it only a variable is updated so that asks for it by an attribute `lazy_rows`.
    """

    slots: tuple[str, ...] = ()
    initial_slots: str | keras.initializers.Initializer = "zeros"

    lazy: bool = False

    def __init__(self, learning_rate: Any) -> None:
        super().__init__(learning_rate=learning_rate, name=type(self).__name__.lower())

    def build(self, variables: Sequence[keras.Variable]) -> None:
        if self.built:
            return
        super().build(variables)
        self._built_for = list(variables)
        self._numbers = {id(variable): number for number, variable in enumerate(variables)}
        self._values_of_slots = (
            self.add_optimizer_variables(variables, list(self.slots), self.initial_slots) if self.slots else ()
        )

    def takes_rows(self, variable: keras.Variable) -> bool:
        """Whether a gradient of rows updates these rows of the variable alone."""
        return self.lazy or getattr(variable, "lazy_rows", False)

    def apply(self, grads: Sequence[Gradient], trainable_variables: Sequence[keras.Variable] | None = None) -> None:
        """Updates the variables.

        Args:
            grads: one gradient a variable, dense or, where the optimizer `takes_rows` of it, as `tf.IndexedSlices`
                with each row once (elsewhere rows are made dense).
            trainable_variables: those that the optimizer was built with or some of them; None for all. The others and
                their slots stay as they are; steps are counted for all alike.

        Raises:
            ValueError: another number of gradients than of variables.
        """
        if trainable_variables is not None:
            self.build(trainable_variables)
        variables = self._built_for if trainable_variables is None else trainable_variables
        if len(grads) != len(variables):
            raise ValueError(f"{len(grads)} gradients for {len(variables)} variables: each variable needs one.")
        for gradient, variable in zip(grads, variables, strict=True):
            number = self._numbers[id(variable)]
            handle, slots = variable.value.handle, [values[number].value.handle for values in self._values_of_slots]
            dtype = variable.value.dtype  # the kernels trust that all they are given is of one
            rate, update = (tf.cast(number, dtype) for number in (self.learning_rate, self.iterations.value + 1))
            if isinstance(gradient, tf.IndexedSlices) and self.takes_rows(variable):
                values = tf.cast(gradient.values, dtype)
                self.update_rows(Weight(handle, slots, values, rate, update), gradient.indices)
            else:
                values = tf.cast(dense(gradient, variable.value), dtype)
                self.update(Weight(handle, slots, values, rate, update))
        # Every replica counts alike in its own copy: a strategy would have them meet, which a condition forbids.
        tf.raw_ops.AssignAddVariableOp(resource=self.iterations.value.handle, value=tf.ones([], self.iterations.dtype))

    def update(self, weight: Weight) -> None:
        """One kernel on a weight and its slots."""
        raise NotImplementedError

    def update_rows(self, weight: Weight, rows: tf.Tensor) -> None:
        """The same of some distinct `rows [n]` of the weight and its slots, whose gradient is `[n, ...]`."""
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
        lazy: leave rows of a table alone that got no gradient, as `KernelOptimizer` says.
    """

    slots = ("momentum", "velocity")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        lazy: bool = False,
    ) -> None:
        super().__init__(learning_rate)
        self.lazy = lazy
        self.beta_1 = beta_1
        self.beta_2 = beta_2
        self.epsilon = epsilon

    def update(self, weight: Weight) -> None:
        tf.raw_ops.ResourceApplyAdam(
            var=weight.handle,
            m=weight.slots[0],
            v=weight.slots[1],
            beta1_power=self.beta_1**weight.update,
            beta2_power=self.beta_2**weight.update,
            lr=weight.rate,
            beta1=self.beta_1,
            beta2=self.beta_2,
            epsilon=self.epsilon,
            grad=weight.gradient,
        )

    def update_rows(self, weight: Weight, rows: tf.Tensor) -> None:
        """TensorFlow has no kernel of Adam for rows: they are gathered, computed and put back."""
        gradient = weight.gradient
        mean, square = (
            tf.raw_ops.ResourceGather(resource=slot, indices=rows, dtype=gradient.dtype) for slot in weight.slots
        )
        mean += (1.0 - self.beta_1) * (gradient - mean)
        square += (1.0 - self.beta_2) * (tf.square(gradient) - square)
        for slot, values in zip(weight.slots, (mean, square), strict=True):
            tf.raw_ops.ResourceScatterUpdate(resource=slot, indices=rows, updates=values)
        rate = weight.rate * (tf.sqrt(1.0 - self.beta_2**weight.update) / (1.0 - self.beta_1**weight.update))
        step = rate * mean / (tf.sqrt(square) + self.epsilon)
        tf.raw_ops.ResourceScatterSub(resource=weight.handle, indices=rows, updates=step)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "beta_1": self.beta_1,
            "beta_2": self.beta_2,
            "epsilon": self.epsilon,
            "lazy": self.lazy,
        }


@keras.saving.register_keras_serializable(package="tfnmt")
class Adadelta(KernelOptimizer):
    """Zeiler (2012), algorithm 1; Keras's `Adadelta`. The papers have no learning rate: 1.

    Args:
        learning_rate: a number or a schedule.
        rho: decay of both averages.
        epsilon: added to both under the root.
        lazy: leave rows of a table alone that got no gradient, as `KernelOptimizer` says.
    """

    slots = ("accumulated_gradient", "accumulated_update")

    def __init__(self, learning_rate: Any = 1.0, rho: float = 0.95, epsilon: float = 1e-6, lazy: bool = False) -> None:
        super().__init__(learning_rate)
        self.lazy = lazy
        self.rho = rho
        self.epsilon = epsilon

    def update(self, weight: Weight) -> None:
        tf.raw_ops.ResourceApplyAdadelta(
            var=weight.handle,
            accum=weight.slots[0],
            accum_update=weight.slots[1],
            lr=weight.rate,
            rho=self.rho,
            epsilon=self.epsilon,
            grad=weight.gradient,
        )

    def update_rows(self, weight: Weight, rows: tf.Tensor) -> None:
        tf.raw_ops.ResourceSparseApplyAdadelta(
            var=weight.handle,
            accum=weight.slots[0],
            accum_update=weight.slots[1],
            lr=weight.rate,
            rho=self.rho,
            epsilon=self.epsilon,
            grad=weight.gradient,
            indices=rows,
        )

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "rho": self.rho,
            "epsilon": self.epsilon,
            "lazy": self.lazy,
        }


@keras.saving.register_keras_serializable(package="tfnmt")
class Adagrad(KernelOptimizer):
    """Duchi, Hazan and Singer (2011), the diagonal rule: `w -= rate * g / (sqrt(sum of g^2) + epsilon)`.

    Keras's `Adagrad` has epsilon under the root.

    Args:
        learning_rate: a number or a schedule.
        initial_accumulator_value: what the sum of squares starts from.
        epsilon: added to the root.
    """

    slots = ("accumulator",)

    def __init__(
        self, learning_rate: Any = 0.001, initial_accumulator_value: float = 0.1, epsilon: float = 1e-7
    ) -> None:
        super().__init__(learning_rate)
        self.initial_slots = keras.initializers.Constant(initial_accumulator_value)
        self.initial_accumulator_value = initial_accumulator_value
        self.epsilon = epsilon

    def takes_rows(self, variable: keras.Variable) -> bool:
        return True  # the dense update itself

    def update(self, weight: Weight) -> None:
        tf.raw_ops.ResourceApplyAdagradV2(
            var=weight.handle,
            accum=weight.slots[0],
            lr=weight.rate,
            epsilon=self.epsilon,
            grad=weight.gradient,
            update_slots=True,
        )

    def update_rows(self, weight: Weight, rows: tf.Tensor) -> None:
        tf.raw_ops.ResourceSparseApplyAdagradV2(
            var=weight.handle,
            accum=weight.slots[0],
            lr=weight.rate,
            epsilon=self.epsilon,
            grad=weight.gradient,
            indices=rows,
            update_slots=True,
        )

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "initial_accumulator_value": self.initial_accumulator_value,
            "epsilon": self.epsilon,
        }


@keras.saving.register_keras_serializable(package="tfnmt")
class SGD(KernelOptimizer):
    """Gradient descent, plain or with momentum; Keras's `SGD`.

    Args:
        learning_rate: a number or a schedule.
        momentum: decay of the velocity, `velocity = momentum * velocity - rate * gradient`, which moves the weight; 0
            for plain gradient descent.
        nesterov: whether the weight is moved by the velocity that the same gradient would give once more.
        lazy: with momentum, leave rows of a table alone that got no gradient, as `KernelOptimizer` says.
    """

    def __init__(
        self, learning_rate: Any = 1.0, momentum: float = 0.0, nesterov: bool = False, lazy: bool = False
    ) -> None:
        super().__init__(learning_rate)
        self.lazy = lazy
        self.momentum = momentum
        self.nesterov = nesterov
        if momentum:
            self.slots = ("velocity",)

    def takes_rows(self, variable: keras.Variable) -> bool:
        return not self.momentum or super().takes_rows(variable)

    def update(self, weight: Weight) -> None:
        if not weight.slots:
            tf.raw_ops.ResourceApplyGradientDescent(var=weight.handle, alpha=weight.rate, delta=weight.gradient)
            return
        tf.raw_ops.ResourceApplyKerasMomentum(
            var=weight.handle,
            accum=weight.slots[0],
            lr=weight.rate,
            grad=weight.gradient,
            momentum=self.momentum,
            use_nesterov=self.nesterov,
        )

    def update_rows(self, weight: Weight, rows: tf.Tensor) -> None:
        if not weight.slots:
            tf.raw_ops.ResourceScatterSub(resource=weight.handle, indices=rows, updates=weight.rate * weight.gradient)
            return
        tf.raw_ops.ResourceSparseApplyKerasMomentum(
            var=weight.handle,
            accum=weight.slots[0],
            lr=weight.rate,
            grad=weight.gradient,
            indices=rows,
            momentum=self.momentum,
            use_nesterov=self.nesterov,
        )

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "momentum": self.momentum,
            "nesterov": self.nesterov,
            "lazy": self.lazy,
        }
