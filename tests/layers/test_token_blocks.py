"""Blocks of tokens: the same costs, and never more logits at once than allowed."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from tfnmt.layers.token_blocks import in_blocks


@pytest.mark.parametrize("graph", [False, True], ids=["eager", "graph"])
@pytest.mark.parametrize("tokens", [0, 1, 4, 6, 9])
def test_every_token_has_its_own_cost(tokens: int, graph: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tfnmt.layers.token_blocks.LOGITS_AT_ONCE", 40)  # blocks of four at ten a token
    features = tf.constant(np.random.default_rng(1).normal(size=[tokens, 3]), tf.float32)
    labels = tf.range(tokens)
    largest = tf.Variable(0)

    def cost(some: tf.Tensor, their: tf.Tensor) -> tf.Tensor:
        largest.assign(tf.maximum(largest, tf.shape(some)[0]))
        return tf.reduce_sum(some, axis=-1) + tf.cast(their, tf.float32)

    def run(features: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
        return in_blocks(cost, features, labels, 10)

    signature = [tf.TensorSpec([None, 3]), tf.TensorSpec([None], tf.int32)]
    found = (tf.function(run, input_signature=signature) if graph else run)(features, labels)
    np.testing.assert_allclose(found, features.numpy().sum(axis=-1) + np.arange(tokens), atol=1e-6)
    assert largest.numpy() == max(1, min(tokens, 4))
