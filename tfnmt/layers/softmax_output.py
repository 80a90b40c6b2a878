"""The distribution over the target vocabulary."""

from __future__ import annotations

from typing import Any, NamedTuple

import keras
import tensorflow as tf

from tfnmt.layers.candidates import WHOLE_COLUMNS, Candidates
from tfnmt.layers.cross_entropy import cross_entropy, log_normalizers
from tfnmt.layers.loop_invariants import loop_invariant
from tfnmt.layers.product_layer import ProductLayer
from tfnmt.layers.word_embedding import WordEmbedding
from tfnmt.text.vocabulary import PAD


class OwnWords(NamedTuple):
    """What the logits of each sentence's own candidates are made of.

    Attributes:
        rows: `[sentences, n, features]`, in the compute dtype.
        bias: float32 `[sentences, n]`, -inf where there is no word.
    """

    rows: tf.Tensor
    bias: tf.Tensor


@keras.saving.register_keras_serializable(package="tfnmt")
class SoftmaxOutput(ProductLayer):
    """`p(y) = softmax(W_o t + b)` over the whole target vocabulary.

    `W_o` is kept with one row a word, so that a candidate list gathers rows.

    Args:
        vocabulary_size: words, control symbols included.
        bias: whether words have a bias (Bahdanau et al.: yes; Luong et al.: no).
        label_smoothing: share of the probability that the *training* loss spreads evenly over the other words; it never
            enters a perplexity or a score (Vaswani et al. 2017, section 5.4).
        kernel_initializer: draws `W_o` (paper: N(0, 0.01^2)).

    Call arguments:
        features: `[..., features]`.

    Returns:
        float32 logits `[..., vocabulary]`.
    """

    def __init__(
        self,
        vocabulary_size: int,
        bias: bool = True,
        label_smoothing: float = 0.0,
        kernel_initializer: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.vocabulary_size = vocabulary_size
        self.has_bias = bias
        self.label_smoothing = label_smoothing
        self.kernel_initializer = keras.initializers.get(
            kernel_initializer or keras.initializers.RandomNormal(stddev=0.01)
        )
        self.shared_embedding: WordEmbedding | None = None

    def share(self, embedding: WordEmbedding) -> None:
        """Uses the embedding's table as `W_o`; call before the layer is built.

        Raises:
            ValueError: the embedding has another number of words.
        """
        if embedding.vocabulary_size != self.vocabulary_size:
            raise ValueError(
                f"The output has {self.vocabulary_size} words, the embedding to share {embedding.vocabulary_size}."
            )
        self.shared_embedding = embedding
        embedding.is_read_whole = True

    def build(self, features_shape: tuple[int | None, ...]) -> None:
        if self.shared_embedding is None:
            self.kernel = self.add_weight(
                name="kernel",
                shape=(self.vocabulary_size, features_shape[-1]),
                initializer=self.kernel_initializer,
            )
        elif self.shared_embedding.size != features_shape[-1]:
            raise ValueError(
                f"A shared table needs features of the embedding's size {self.shared_embedding.size}, "
                f"not {features_shape[-1]}: set the read-out's projection to it."
            )
        if self.has_bias:
            self.bias = self.add_weight(name="bias", shape=(self.vocabulary_size,), initializer="zeros")
        self.built = True

    def get_build_config(self) -> dict[str, Any] | None:
        """None for a shared table: at loading, the network shares it again before it builds this layer."""
        return super().get_build_config() if self.shared_embedding is None else None

    @property
    def rows(self) -> keras.Variable:
        """`W_o [vocabulary, features]`."""
        return self.kernel if self.shared_embedding is None else self.shared_embedding.table

    def logits(self, features: tf.Tensor, candidates: Candidates | None = None) -> tf.Tensor:
        """`[..., features] -> [..., vocabulary]`, float32.

        With candidates of some sentences: `[rows, features] -> [rows, columns]`, a column for each of them and -inf in
        all others (see `Candidates`); `rows` is a multiple of the sentences, the rows of one sentence adjacent.
        """
        if candidates is not None:
            return self._logits_of(candidates, features)
        shape = tf.shape(features)
        flat = tf.reshape(features, [-1, self.rows.shape[1]])
        logits = tf.cast(tf.matmul(self.operand(flat), self.operand(self.rows), transpose_b=True), tf.float32)
        if self.has_bias:
            logits = tf.nn.bias_add(logits, tf.convert_to_tensor(self.bias))  # one kernel with a float32 product
        logits = tf.reshape(logits, tf.concat([shape[:-1], [self.vocabulary_size]], axis=0))
        logits.set_shape([*features.shape[:-1], self.vocabulary_size])
        return logits

    def prepare(self, candidates: Candidates) -> Candidates:
        """The candidates with what `logits` reads of their own words, which is the same at each step of a search."""
        # Read, not gathered from the variable: once rows were, TensorFlow copies it whole at each reading.
        rows = tf.gather(tf.convert_to_tensor(self.rows), candidates.ids)
        bias = tf.gather(tf.convert_to_tensor(self.bias), candidates.ids) if self.has_bias else tf.zeros([])
        bias = tf.where(candidates.ids == PAD, -float("inf"), bias)
        return candidates._replace(own=OwnWords(self.operand(rows), bias))

    def _logits_of(self, candidates: Candidates, features: tf.Tensor) -> tf.Tensor:
        """One product for the shared words, another for the few own rows of each sentence."""
        own: OwnWords = candidates.own or self.prepare(candidates).own
        sentences, number = tf.unstack(tf.shape(candidates.ids))
        hypotheses = tf.shape(features)[0] // tf.maximum(sentences, 1)
        features = self.operand(features)
        shared_logits = tf.cast(tf.matmul(features, self._shared(candidates.common), transpose_b=True), tf.float32)
        if self.has_bias:
            shared_logits += tf.convert_to_tensor(self.bias)[: candidates.common]
        grouped = tf.reshape(features, [sentences, hypotheses, self.rows.shape[1]])
        own_logits = tf.cast(tf.matmul(grouped, own.rows, transpose_b=True), tf.float32) + own.bias[:, tf.newaxis]
        own_logits = tf.reshape(own_logits, [tf.shape(features)[0], number])
        missing = -(tf.shape(shared_logits)[1] + number) % WHOLE_COLUMNS
        filling = tf.fill([tf.shape(features)[0], missing], -float("inf"))
        return tf.concat([shared_logits, own_logits, filling], axis=1)

    def _shared(self, common: int) -> tf.Tensor:
        """The rows of the most frequent words for a product, cast once for all steps of a search."""
        return loop_invariant(
            (id(self.rows), self.compute_dtype, common),
            lambda: self.operand(tf.convert_to_tensor(self.rows)[:common]),
        )

    def call(self, features: tf.Tensor) -> tf.Tensor:
        return self.logits(features)

    def loss(self, features: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
        """The training loss of each word: `[tokens, features]`, int32 `[tokens]` -> float32 `[tokens]`."""
        return cross_entropy(self.logits(features), labels, self.label_smoothing)

    def log_normalizers(self, logits: tf.Tensor) -> tf.Tensor:
        """`log sum exp` of each row: `log p(y) = logits[y] - log_normalizer`; `[..., vocabulary] -> [...]`."""
        return log_normalizers(logits)

    def negative_log_likelihood(self, features: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
        """`-log p(label)`, exact and unsmoothed: `[tokens, features]`, int32 `[tokens]` -> float32 `[tokens]`."""
        return cross_entropy(self.logits(features), labels)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "vocabulary_size": self.vocabulary_size,
            "bias": self.has_bias,
            "label_smoothing": self.label_smoothing,
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
        }
