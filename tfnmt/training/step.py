"""One update of the weights from one global batch, the same mathematics under every distribution strategy."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple

import keras
import tensorflow as tf

from tfnmt.training.gradients import (
    Gradient,
    added,
    clip_factor,
    dense,
    distinct_rows,
    scaled,
    summed_over_replicas,
)
from tfnmt.training.loss_scale import LossScale
from tfnmt.training.normalization import LossNormalization
from tfnmt.training.optimizers import KernelOptimizer

ROWS_OF_IDS = tf.TensorSpec([None, None], tf.int32)


def shard(ids: tf.Tensor, part: int = 0, parts: int = 1) -> tf.Tensor:
    """This replica's rows of a global batch, `[batch, tokens]` to `[rows, tokens]`; may be none.

    Every replica is handed the whole batch (a few kilobytes) and takes every n-th row, so that nothing is lost or
    doubled whatever the batch size, and the lengths of a length-sorted batch are spread evenly.

    Args:
        ids: the whole batch.
        part: which of several parts of this replica's rows, from 0.
        parts: into how many they are divided.
    """
    context = tf.distribute.get_replica_context()
    replicas = context.num_replicas_in_sync
    if replicas * parts == 1:
        return ids
    return ids[context.replica_id_in_sync_group + replicas * part :: replicas * parts]


class StepResult(NamedTuple):
    """What one step reports, over the global batch; float32 scalars."""

    loss: tf.Tensor  # sum of the token losses
    tokens: tf.Tensor  # target tokens: words and one end symbol a sentence
    gradient_norm: tf.Tensor  # of the normalised gradient, before clipping
    learning_rate: tf.Tensor
    skipped: tf.Tensor  # 1 if the gradient was beyond float16 and the update left out, else 0


class TrainingStep:
    """Forward pass, gradient and update, compiled once for all batch shapes.

    Args:
        strategy: the `tf.distribute` strategy in whose scope `network` and `optimizer` were made.
        network: has `token_losses(source_ids, target_ids, training) -> [tokens]`; or has `task(name)`, the networks of
            several tasks that do, of which each batch names its own. A step updates the weights of that task alone.
        optimizer: takes the gradient of the whole batch, the same on every replica.
        normalization: what the summed loss is divided by.
        clip_norm: the largest global norm of the normalised gradient, `None` for no clipping.
        accumulate: each batch is worked through in so many parts, one after the other, whose gradients are summed: the
            memory of a part, the update of the whole. A random draw (dropout, sampled words) differs from the whole's.
        lanes: each of those parts is divided again, into parts that are worked on at the same time: what a CPU needs to
            be busy with all its processors (`tfnmt.training.lanes`).
        loss_scale: for float16, made in the strategy's scope.
    """

    def __init__(
        self,
        strategy: tf.distribute.Strategy,
        network: keras.Model,
        optimizer: KernelOptimizer,
        normalization: LossNormalization = LossNormalization.SUM,
        clip_norm: float | None = None,
        accumulate: int = 1,
        loss_scale: LossScale | None = None,
        lanes: int = 1,
    ) -> None:
        self.strategy = strategy
        self.network = network
        self.optimizer = optimizer
        self.normalization = normalization
        self.clip_norm = clip_norm
        self.accumulate = accumulate
        self.lanes = lanes
        self.loss_scale = loss_scale or LossScale()
        self._compiled: dict[str | None, Callable[..., StepResult]] = {}

    def __call__(self, source_ids: Any, target_ids: Any, task: str | None = None) -> StepResult:
        """Update the weights from a global batch of at least one sentence.

        Args:
            source_ids: `[batch, source]` int32, padded with 0.
            target_ids: `[batch, target]` int32, padded with 0.
            task: the task of the batch where the network has several.
        """
        return self.function(task)(source_ids, target_ids)

    def function(self, task: str | None = None) -> Any:
        """The `tf.function` that takes a step, of one signature for all batches; compiled when it is first called."""
        if task not in self._compiled:
            self._compiled[task] = self._compile(self.network if task is None else self.network.task(task))
        return self._compiled[task]

    def _compile(self, network: keras.Model) -> Callable[..., StepResult]:
        def run(source_ids: tf.Tensor, target_ids: tf.Tensor) -> StepResult:
            results = self.strategy.run(self._replica_step, args=(network, source_ids, target_ids))
            return StepResult(*(self.strategy.experimental_local_results(result)[0] for result in results))

        return tf.function(run, input_signature=[ROWS_OF_IDS, ROWS_OF_IDS], autograph=False)

    def _replica_step(self, network: keras.Model, source_ids: tf.Tensor, target_ids: tf.Tensor) -> StepResult:
        variables = network.trainable_variables
        sums: list[Gradient] = []
        for number in range(self.accumulate):
            # One after the other: each may use the memory of the one before.
            with tf.control_dependencies(tf.nest.flatten(sums, expand_composites=True)):
                parts = range(self.lanes * number, self.lanes * (number + 1))
                found = [self._part(network, source_ids, target_ids, part) for part in parts]
            sums = [reduce(added, values) for values in zip(*([sums] if sums else []), *found, strict=True)]
        loss, tokens, *gradients = summed_over_replicas(sums)

        divisor = self.normalization.divisor(tf.cast(tf.shape(source_ids)[0], tf.float32), tokens)
        divisor *= self.loss_scale.value
        norm = tf.linalg.global_norm(gradients) / divisor
        factor = clip_factor(norm, self.clip_norm) / divisor
        learning_rate = tf.identity(self.optimizer.learning_rate)
        skipped = self.loss_scale.guarded(
            norm, lambda: self.optimizer.apply([scaled(gradient, factor) for gradient in gradients], variables)
        )
        return StepResult(loss, tokens, norm, learning_rate, skipped)

    def _part(self, network: keras.Model, source_ids: tf.Tensor, target_ids: tf.Tensor, number: int) -> list[Gradient]:
        """Loss, tokens and the gradients of the scaled loss over one part of this replica's rows."""
        variables = network.trainable_variables
        ids = (shard(rows, number, self.accumulate * self.lanes) for rows in (source_ids, target_ids))
        with tf.GradientTape() as tape:
            losses = network.token_losses(*ids, training=True)
            loss = tf.reduce_sum(tf.cast(losses, tf.float32))
            scaled_loss = self.loss_scale.up(loss)
        found = tape.gradient(scaled_loss, [variable.value for variable in variables])
        gradients = [self._summed(gradient, variable) for gradient, variable in zip(found, variables, strict=True)]
        return [loss, tf.cast(tf.size(losses), tf.float32), *gradients]

    def _summed(self, gradient: Gradient | None, variable: keras.Variable) -> Gradient:
        """One replica's gradient: rows where the optimizer updates rows alone, dense elsewhere; no row twice."""
        if isinstance(gradient, tf.IndexedSlices) and self.optimizer.takes_rows(variable):
            return distinct_rows(gradient)
        return dense(gradient, variable.value)
