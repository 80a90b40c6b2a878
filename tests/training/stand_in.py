"""A network and batches as small as they can be, with the interfaces that the loop trains through."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import keras
import numpy as np
import tensorflow as tf

VOCABULARY_SIZE = 24
END = 2


class SmallBatch(NamedTuple):
    source_ids: np.ndarray
    target_ids: np.ndarray
    pair_numbers: np.ndarray


class SmallBatches:
    """Pairs of random ids whose target is the source; shuffled anew for each epoch as `Batches` does."""

    def __init__(self, pairs: int = 40, batch_size: int = 8, seed: int = 1) -> None:
        random = np.random.default_rng(seed)
        self.lengths = random.integers(1, 7, pairs)
        self.ids = random.integers(4, VOCABULARY_SIZE, [pairs, 6]).astype(np.int32)
        self.ids[np.arange(6) >= self.lengths[:, None]] = 0
        self.batch_size = batch_size
        self.seed = seed

    def batch(self, numbers: np.ndarray) -> SmallBatch:
        ids = self.ids[numbers]
        ids = ids[:, : max(1, np.count_nonzero(ids, axis=1).max(initial=1))]
        return SmallBatch(ids, ids, numbers)

    def epoch(self, number: int, start: int = 0) -> Iterator[SmallBatch]:
        order = np.random.default_rng([self.seed, number]).permutation(len(self.ids))
        for first in range(start * self.batch_size, len(order), self.batch_size):
            yield self.batch(order[first : first + self.batch_size])

    def count(self, epoch: int) -> int:
        return -(-len(self.ids) // self.batch_size)


@keras.saving.register_keras_serializable(package="tfnmt_tests")
class SmallNetwork(keras.Model):
    """Predicts target word i from source word i through an embedding, dropout and a softmax."""

    def __init__(self, units: int = 8, dropout: float = 0.0, seed: int = 7, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        initializer = keras.initializers.RandomUniform(seed=seed)
        self.embedding = keras.layers.Embedding(VOCABULARY_SIZE, units, embeddings_initializer=initializer)
        self.dropout = keras.layers.Dropout(dropout, seed=seed)
        self.hidden = keras.layers.Dense(units, activation="tanh", kernel_initializer=initializer)
        self.softmax = keras.layers.Dense(VOCABULARY_SIZE, kernel_initializer=initializer, dtype="float32")

    def call(self, inputs: tuple[Any, Any], training: bool = False) -> tf.Tensor:
        source_ids, _ = inputs
        ended = tf.pad(source_ids, [[0, 0], [0, 1]])
        return self.softmax(self.hidden(self.dropout(self.embedding(ended), training=training)))

    def token_losses(self, source_ids: Any, target_ids: Any, training: bool) -> tf.Tensor:
        losses, mask, _ = self._costs(source_ids, target_ids, training)
        return tf.boolean_mask(losses, mask)

    def token_negative_log_likelihoods(self, source_ids: Any, target_ids: Any) -> tuple[tf.Tensor, tf.Tensor, None]:
        return self._costs(source_ids, target_ids, training=False)

    def _costs(self, source_ids: Any, target_ids: Any, training: bool) -> tuple[tf.Tensor, tf.Tensor, None]:
        lengths = tf.math.count_nonzero(target_ids, axis=1, dtype=tf.int32)
        positions = tf.range(tf.shape(target_ids)[1] + 1)[tf.newaxis]
        labels = tf.where(positions == lengths[:, tf.newaxis], END, tf.pad(target_ids, [[0, 0], [0, 1]]))
        logits = self((source_ids, target_ids), training=training)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        return losses, positions <= lengths[:, tf.newaxis], None
