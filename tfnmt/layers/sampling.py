"""Which words of a very large vocabulary a training loss is over, and how probable it was that they were chosen."""

from __future__ import annotations

from typing import Any, NamedTuple

import keras
import numpy as np
import tensorflow as tf


class Sample(NamedTuple):
    """The words of one loss beside its labels.

    Attributes:
        ids: int32 `[n]`, distinct.
        log_probabilities: float32 `[n]`, the logarithm of the probability that each was in the sample. If it is the
            same for all of them it has no effect on a gradient, and may be left at 0.
    """

    ids: tf.Tensor
    log_probabilities: tf.Tensor


class Sampling:
    """The base of the sampling strategies: `build` once, then `sample` for each loss.

    What a strategy holds is a position in training and no weight: it is not saved with a model, and who trains sets it
    again (`tfnmt.training.sampled_vocabulary`).
    """

    size: int

    def build(self, vocabulary_size: int) -> None:
        """Called by the output layer in the training strategy's scope. No sample is larger than the vocabulary."""
        self.size = min(self.size, vocabulary_size)

    def sample(self) -> Sample:
        """The words of the next loss; graph code."""
        raise NotImplementedError(f"{type(self).__name__} must implement sample().")

    def get_config(self) -> dict[str, Any]:
        raise NotImplementedError(f"{type(self).__name__} must implement get_config().")

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Sampling:
        return cls(**config)


@keras.saving.register_keras_serializable(package="tfnmt")
class PartitionSampling(Sampling):
    """The target words of the part of the corpus that training is in (Jean et al. 2015, section 3.2).

    The corpus is cut into parts of at most `size` distinct target words each (`tfnmt.corpora.vocabulary_parts`), and
    while a part is learnt from, its words are the whole vocabulary: Q is uniform over them, so that its correction
    cancels. V' is the same for all batches of a part and holds every label; the estimate of the gradient is biased. Who
    walks through the corpus calls `use` where a part begins; before, V' is the whole vocabulary and the loss exact.

    Args:
        size: most words of a part (the paper's tau).
    """

    def __init__(self, size: int = 30_000) -> None:
        self.size = size

    def build(self, vocabulary_size: int) -> None:
        super().build(vocabulary_size)
        self._words = _variable(np.ones(vocabulary_size, bool))

    def use(self, ids: np.ndarray) -> None:
        """The words of the part that training enters: int `[words]`."""
        words = np.zeros(self._words.shape, bool)
        words[ids] = True
        self._words.assign(words)

    def sample(self) -> Sample:
        ids = tf.cast(tf.where(self._words)[:, 0], tf.int32)
        return Sample(ids, tf.zeros_like(ids, tf.float32))

    def get_config(self) -> dict[str, Any]:
        return {"size": self.size}


class ImportanceSampling(Sampling):
    """A fixed number of distinct words for each loss, the probable ones oftener.

    A word that the proposal gives the weight q is in the sample with probability `min(1, c q)`, where `c` makes the
    sample have `size` words: systematic sampling (Madow 1949) takes the words that hold the points `u, u + 1, u + 2,
    ...` of the running sum of these probabilities, for one uniform u. So no word comes twice, the sum of `exp(energy) /
    probability` over the sample has the softmax's normaliser as its mean, and the loss is exact once the sample is the
    vocabulary.

    u is a function of the seed and of how many samples were drawn before; `use` says it again when a run is resumed.

    Args:
        size: words of a sample.
        seed: of u.
    """

    def __init__(self, size: int = 8192, seed: int = 0) -> None:
        self.size = size
        self.seed = seed

    def build(self, vocabulary_size: int) -> None:
        super().build(vocabulary_size)
        inclusion = inclusion_probabilities(self.proposal(vocabulary_size), self.size)
        self._inclusion = _variable(inclusion)
        self._drawn = _variable(np.int64(0))

    def proposal(self, vocabulary_size: int) -> np.ndarray:
        """What each word is drawn in proportion to, `[vocabulary]`, positive."""
        raise NotImplementedError(f"{type(self).__name__} must implement proposal().")

    def use(self, drawn: int) -> None:
        """How many samples count as drawn before the next one."""
        self._drawn.assign(drawn)

    def sample(self) -> Sample:
        # in double precision: a rare word's share of the sum is smaller than what float32 resolves
        inclusion = tf.convert_to_tensor(self._inclusion)
        sums = tf.cumsum(inclusion)
        seed = tf.stack([tf.constant(self.seed, tf.int64), self._drawn])
        first = tf.random.stateless_uniform([], seed, dtype=tf.float64)
        self._drawn.assign_add(1)
        points = first + tf.cast(tf.range(tf.cast(tf.math.ceil(sums[-1] - first), tf.int32)), tf.float64)
        words = tf.minimum(tf.searchsorted(sums, points, side="right"), tf.size(sums) - 1)
        ids, _ = tf.unique(words)  # rounding could end two steps at one word
        return Sample(ids, tf.cast(tf.math.log(tf.gather(inclusion, ids)), tf.float32))

    def get_config(self) -> dict[str, Any]:
        return {"size": self.size, "seed": self.seed}


@keras.saving.register_keras_serializable(package="tfnmt")
class LogUniformSampling(ImportanceSampling):
    """Importance sampling by Zipf's law: `q = log(1 + 1 / (id + 1))`, for ids by falling frequency."""

    def proposal(self, vocabulary_size: int) -> np.ndarray:
        return np.log1p(1.0 / np.arange(1, vocabulary_size + 1, dtype=np.float64))


@keras.saving.register_keras_serializable(package="tfnmt")
class UnigramSampling(ImportanceSampling):
    """Importance sampling by how often each word occurs; uniform before it is told by `count`."""

    def proposal(self, vocabulary_size: int) -> np.ndarray:
        return np.ones(vocabulary_size)

    def count(self, counts: np.ndarray) -> None:
        """How often each word occurs, `[vocabulary]`; one is added, so that no word is impossible."""
        self._inclusion.assign(inclusion_probabilities(np.asarray(counts, np.float64) + 1.0, self.size))


def inclusion_probabilities(proposal: np.ndarray, size: int) -> np.ndarray:
    """`min(1, c q)` for the weight q of each word of `proposal [words]`, in sum `size`; all 1 if there are fewer."""
    if size >= len(proposal):
        return np.ones(len(proposal))
    falling = np.sort(proposal)[::-1]
    rest = np.cumsum(falling[::-1])[::-1]  # of a word and all smaller ones
    factors = (size - np.arange(size)) / rest[:size]
    certain = int(np.argmax(factors * falling[:size] <= 1.0))  # how many words every sample has
    return np.minimum(1.0, factors[certain] * proposal)


def _variable(value: Any) -> tf.Variable:
    """Made in eager mode even while Keras traces the model that holds the layer."""
    with tf.init_scope():
        return tf.Variable(value, trainable=False, aggregation=tf.VariableAggregation.ONLY_FIRST_REPLICA)
