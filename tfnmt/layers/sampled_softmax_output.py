"""The distribution over a very large target vocabulary, trained on a few of its words at a time."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.cross_entropy import cross_entropy
from tfnmt.layers.sampling import PartitionSampling, Sampling
from tfnmt.layers.softmax_output import SoftmaxOutput
from tfnmt.layers.token_blocks import in_blocks
from tfnmt.layers.word_embedding import WordEmbedding


@keras.saving.register_keras_serializable(package="tfnmt")
class SampledSoftmaxOutput(SoftmaxOutput):
    """`p(y) = softmax(W_o t + b)` whose training loss is over some words V' only (Jean et al. 2015).

    With energies `E_k = w_k t + b_k` the loss of a label y is

        -E_y + log sum over k in V' of exp(E_k - log Q_k)

    whose gradient is the paper's (section 3.1): that of the label's energy less the mean of the energies' gradients
    under `softmax(E - log Q)` over V'. V' is what the sampling strategy gives and, with Q = 1, the labels of the batch
    themselves; so the loss is never negative, and exact where V' is the whole vocabulary. Only the rows of V' are
    multiplied, get a gradient and are updated, slots of the optimizer included. `logits` and `negative_log_likelihood`
    are those of the whole vocabulary.

    Args:
        vocabulary_size: words, control symbols included; ids by falling frequency for `LogUniformSampling`.
        sampling: the strategy; None for `PartitionSampling()`.
        bias: whether words have a bias.
        label_smoothing: share of the probability that the training loss spreads evenly over the other words of V'.
        kernel_initializer: draws `W_o`.

    Call arguments:
        features: `[..., features]`.

    Returns:
        float32 logits `[..., vocabulary]`.
    """

    def __init__(
        self,
        vocabulary_size: int,
        sampling: Sampling | None = None,
        bias: bool = True,
        label_smoothing: float = 0.0,
        kernel_initializer: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(vocabulary_size, bias, label_smoothing, kernel_initializer, **kwargs)
        self.sampling = sampling or PartitionSampling()

    def share(self, embedding: WordEmbedding) -> None:
        """As in the base; training gathers rows of the table from both sides."""
        super().share(embedding)
        embedding.is_read_whole = False

    def build(self, features_shape: tuple[int | None, ...]) -> None:
        super().build(features_shape)
        self.sampling.build(self.vocabulary_size)
        for variable in (self.rows, *([self.bias] if self.has_bias else [])):
            variable.lazy_rows = True  # see `tfnmt.training.optimizers.KernelOptimizer`

    def resample(self, sampling: Sampling) -> None:
        """Samples in another way from here on; for use before training begins, in the scope of its strategy."""
        sampling.build(self.vocabulary_size)
        self.sampling = sampling

    def loss(self, features: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
        """The training loss of each word over V': `[tokens, features]`, int32 `[tokens]` -> float32 `[tokens]`."""
        sample = self.sampling.sample()
        tokens = tf.size(labels)
        words, places = tf.unique(tf.concat([labels, sample.ids], axis=0))  # the labels first
        ours, others = places[:tokens], places[tokens:]
        distinct_labels = tf.reduce_max(tf.concat([[-1], ours], axis=0)) + 1
        corrections = tf.boolean_mask(sample.log_probabilities, others >= distinct_labels)
        logits = self._energies(features, words) - tf.pad(corrections, [[distinct_labels, 0]])
        return cross_entropy(logits, ours, self.label_smoothing)

    def _energies(self, features: tf.Tensor, words: tf.Tensor) -> tf.Tensor:
        """`[tokens, features]`, int32 `[words]` -> float32 `[tokens, words]`."""
        # Rows are read from the variable, never from a copy of it: the gradient then is of rows as well.
        rows = self.operand(tf.gather(self.rows.value, words))
        energies = tf.cast(tf.matmul(self.operand(features), rows, transpose_b=True), tf.float32)
        return energies + tf.gather(self.bias.value, words) if self.has_bias else energies

    def negative_log_likelihood(self, features: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
        """As in the base, a block of tokens at a time: the logits of all would not fit into the memory."""
        return in_blocks(super().negative_log_likelihood, features, labels, self.vocabulary_size)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "sampling": keras.saving.serialize_keras_object(self.sampling)}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> SampledSoftmaxOutput:
        return cls(**{**config, "sampling": keras.saving.deserialize_keras_object(config["sampling"])})
