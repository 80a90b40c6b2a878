"""Averages of weights, which often translate better than the last weights do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import keras
import numpy as np
import tensorflow as tf

from tfnmt.errors import UserError


class ExponentialAverage:
    """Exponential moving average of a network's trainable weights (Polyak and Juditsky, 1992, with exponential decay).

    After update `t` (from 1) the average moves by `1 - min(decay, (1 + t) / (10 + t))` towards the weights, so that the
    random start is forgotten quickly. Keras's own `use_ema` has no such start and cannot assign its variables inside
    a replica of a mirrored strategy; this one is updated outside the replicas, under every strategy.

    Args:
        decay: how much of the old average stays, between 0 and 1 (exclusive).
    """

    def __init__(self, decay: float = 0.999) -> None:
        if not 0.0 < decay < 1.0:
            raise ValueError(f"The decay of a weight average lies between 0 and 1; received decay={decay}.")
        self.decay = decay
        self.updates: tf.Variable | None = None
        self.averages: list[tf.Variable] = []
        self._weights: list[tf.Variable] = []

    @property
    def variables(self) -> list[tf.Variable]:
        """What a checkpoint must keep: the count of updates and the averages; empty before `build`."""
        return [] if self.updates is None else [self.updates, *self.averages]

    def build(self, weights: Sequence[keras.Variable]) -> None:
        """Start at the present weights. Call it in the strategy's scope."""
        self._weights = [weight.value for weight in weights]
        self.updates = tf.Variable(0, dtype=tf.int64, trainable=False, name="average_updates")
        self.averages = [tf.Variable(tf.identity(w), trainable=False, name="average") for w in self._weights]
        self._compiled = tf.function(self._update, autograph=False)

    def update(self) -> None:
        """Move the average towards the weights, after a step."""
        self._compiled()

    def _update(self) -> None:
        count = tf.cast(self.updates.assign_add(1), tf.float32)  # type: ignore[union-attr]  # built
        share = 1.0 - tf.minimum(self.decay, (1.0 + count) / (10.0 + count))
        for average, weight in zip(self.averages, self._weights, strict=True):
            average.assign_add(tf.cast(share, weight.dtype) * (weight - average))

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Inside the block the network holds the averaged weights; after it, its own again."""
        own = [tf.identity(weight) for weight in self._weights]
        _assign(self._weights, [tf.identity(average) for average in self.averages])
        try:
            yield
        finally:
            _assign(self._weights, own)


def average_checkpoints(network: keras.Model, directory: Path, last: int | None = None) -> list[Path]:
    """Puts the mean of the weights of the last checkpoints into a network (Vaswani et al. 2017, section 6.1).

    Args:
        network: built, of the run that wrote the checkpoints.
        directory: where the run keeps its last checkpoints.
        last: how many; None for all that are there.

    Returns:
        The checkpoints whose mean it is.

    Raises:
        UserError: there are fewer than two, or fewer than asked for, or they belong to another network.
    """
    state = tf.train.get_checkpoint_state(str(directory))
    found = [] if state is None else list(state.all_model_checkpoint_paths)
    paths = found if last is None else found[-last:]
    if len(paths) < max(last or 2, 2):
        raise UserError(
            f"'{directory}' holds {len(found)} checkpoints, and a mean needs {max(last or 2, 2)} or more. A run keeps "
            f"more with --set training.keep_checkpoints={max(last or 5, 2)}."
        )
    variables = [variable.value for variable in network.variables]
    sums = [np.zeros(variable.shape, np.float64) for variable in variables]
    for path in paths:
        try:
            tf.train.Checkpoint(network=variables).restore(path).expect_partial().assert_existing_objects_matched()
        except (AssertionError, ValueError, tf.errors.OpError) as error:
            raise UserError(f"The checkpoint '{path}' belongs to another network, or is damaged.") from error
        for total, variable in zip(sums, variables, strict=True):
            total += variable.numpy()
    for total, variable in zip(sums, variables, strict=True):
        if variable.dtype.is_floating:  # the states of random seeds stay those of the last checkpoint
            variable.assign(tf.cast(total / len(paths), variable.dtype))
    return [Path(path) for path in paths]


def _assign(variables: Sequence[tf.Variable], values: Sequence[tf.Tensor]) -> None:
    for variable, value in zip(variables, values, strict=True):
        variable.assign(value)
