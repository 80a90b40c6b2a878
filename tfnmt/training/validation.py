"""What is measured on held-out sentences during training."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import keras
import tensorflow as tf

from tfnmt.evaluation.perplexity import perplexity
from tfnmt.training.step import ROWS_OF_IDS, shard
from tfnmt.training.team import Team

Validation = Callable[[], Mapping[str, float]]
"""Measures the network as it is; the names of the results are its own, for instance `loss` or `bleu`."""


class ChiefValidation:
    """A validation that is no step of all replicas: the chief makes it, the other workers wait and are told.

    Args:
        team: the members of the run.
        name: of the one result.
        measure: gives it.
    """

    def __init__(self, team: Team, name: str, measure: Callable[[], float]) -> None:
        self.team = team
        self.name = name
        self.measure = measure

    def __call__(self) -> dict[str, float]:
        return {self.name: self.team.share(self.measure() if self.team.is_chief else 0.0)}


class LikelihoodValidation:
    """Loss and perplexity by the exact softmax, whatever the training loss is.

    Both are over all real target tokens (words and one end symbol a sentence), padding excluded, so that they do not
    depend on the size of a batch or the number of replicas.

    Args:
        strategy: the strategy in whose scope `network` was made.
        network: has `token_negative_log_likelihoods(source_ids, target_ids)`.
        batches: the same held-out batches at each call; each has `source_ids` and `target_ids`.
    """

    def __init__(self, strategy: tf.distribute.Strategy, network: keras.Model, batches: Sequence[Any]) -> None:
        self.strategy = strategy
        self.network = network
        self.batches = batches
        self._compiled = tf.function(self._run, input_signature=[ROWS_OF_IDS, ROWS_OF_IDS], autograph=False)

    def __call__(self) -> dict[str, float]:
        """`loss`, the mean negative log-likelihood of a token, and `perplexity`."""
        loss, tokens = 0.0, 0
        for batch in self.batches:
            batch_loss, batch_tokens = self._compiled(batch.source_ids, batch.target_ids)
            loss += float(batch_loss)
            tokens += int(batch_tokens)
        return {"loss": loss / tokens if tokens else float("nan"), "perplexity": perplexity(loss, tokens)}

    def _run(self, source_ids: tf.Tensor, target_ids: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        losses, tokens = self.strategy.run(self._replica_run, args=(source_ids, target_ids))
        total = tf.distribute.ReduceOp.SUM
        return self.strategy.reduce(total, losses, axis=None), self.strategy.reduce(total, tokens, axis=None)

    def _replica_run(self, source_ids: tf.Tensor, target_ids: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        losses, mask, _ = self.network.token_negative_log_likelihoods(shard(source_ids), shard(target_ids))
        return tf.reduce_sum(tf.where(mask, losses, 0.0)), tf.reduce_sum(tf.cast(mask, tf.int64))
