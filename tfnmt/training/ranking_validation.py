"""How well a value network orders held-out pairs of prefixes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from tfnmt.models.value_network import ValueNetwork
from tfnmt.training.step import ROWS_OF_IDS


class RankingValidation:
    """The ranking loss, and the share of pairs whose better prefix has the higher value.

    Args:
        network: the value network.
        batches: the same held-out pairs of prefixes at each call, as `PrefixPairs` makes them.
    """

    def __init__(self, network: ValueNetwork, batches: Sequence[Any]) -> None:
        self.batches = [batch for batch in batches if len(batch.source_ids)]
        self._losses = tf.function(network.token_losses, input_signature=[ROWS_OF_IDS, ROWS_OF_IDS], autograph=False)

    def __call__(self) -> dict[str, float]:
        """`ranking loss`, the mean over the pairs, and `ranking accuracy`."""
        losses = [loss for batch in self.batches for loss in self._losses(batch.source_ids, batch.target_ids).numpy()]
        right = sum(loss < 1.0 for loss in losses)  # exp(worse - better)
        number = len(losses) or float("nan")
        return {"ranking loss": float(sum(losses)) / number, "ranking accuracy": float(right) / number}
