"""A trained network and a judge of its unfinished translations."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.models.bahdanau_decoder import BahdanauDecoder
from tfnmt.models.encoder_decoder import EncoderDecoder
from tfnmt.models.memory import Memory
from tfnmt.models.pooling_decoder import PoolingDecoder, PoolingState


@keras.saving.register_keras_serializable(package="tfnmt")
class ValueNetwork(keras.Model):
    """`v(x, y_<t)`: how good the whole translation will be that begins so (He et al. 2017)::

        mu_SM = f_SM([mean state; mean context])         semantic matching
        mu_CC = f_CC([mean context; mean annotation])    context coverage
        v     = sigmoid(w^T [mu_SM; mu_CC] + b)

    The states, contexts and annotations are those of a trained network, the policy, which is frozen; means are over the
    words of the prefix, or of the source, its end symbol included. A search sees the policy's own probabilities and
    beside them `log_values`.

    Training is by the order of two prefixes of one sentence alone, since that is what a search asks for: see
    `token_losses`.

    Args:
        policy: the trained network, whose decoder is a `BahdanauDecoder`.
        semantic_matching: makes `mu_SM`.
        context_coverage: makes `mu_CC`.

    Call arguments:
        inputs: the pair `(source_ids [batch, source], prefix_ids [batch, prefix])`, int32, padded with 0 on the right.
            A prefix that is a whole translation has the end symbol as its last word.

    Returns:
        `v` of each prefix, float32 `[batch]`, between 0 and 1.

    Raises:
        ValueError: the policy has another decoder.
    """

    def __init__(
        self,
        policy: EncoderDecoder,
        semantic_matching: keras.layers.Layer,
        context_coverage: keras.layers.Layer,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if not isinstance(policy.decoder, BahdanauDecoder):
            raise ValueError(
                "A value network reads the states and contexts of an RNNsearch; the decoder of this network is a "
                f"{type(policy.decoder).__name__}."
            )
        self.policy = policy
        self.semantic_matching = semantic_matching
        self.context_coverage = context_coverage
        self.value_layer = keras.layers.Dense(1, dtype="float32", name="value")
        self.decoder = PoolingDecoder(policy.decoder)
        policy.trainable = False

    @property
    def encoder(self) -> keras.layers.Layer:
        """The policy's."""
        return self.policy.encoder

    @property
    def output_layer(self) -> keras.layers.Layer:
        """The policy's."""
        return self.policy.output_layer

    def build(self, input_shape: Any = None) -> None:
        if not self.policy.built:
            self.policy.build()
            self.policy.trainable = False  # now that its weights are there
        annotations = (None, self.encoder.annotation_size)
        for layer, *shapes in (
            (self.semantic_matching, (None, self.policy.decoder.units), annotations),
            (self.context_coverage, annotations, annotations),
            (self.value_layer, (None, self.semantic_matching.units + self.context_coverage.units)),
        ):
            if not layer.built:
                layer.build(*shapes)
        self.built = True

    def encode(self, source_ids: tf.Tensor) -> Memory:
        """As the policy does."""
        return self.policy.encode(source_ids)

    def token_negative_log_likelihoods(self, source_ids: tf.Tensor, target_ids: tf.Tensor) -> Any:
        """The policy's: a value is no probability."""
        return self.policy.token_negative_log_likelihoods(source_ids, target_ids)

    def call(self, inputs: tuple[tf.Tensor, tf.Tensor], training: bool = False) -> tf.Tensor:
        source_ids, prefix_ids = inputs
        memory = self.encode(source_ids)
        return tf.sigmoid(self._logits(*self.decoder.means(prefix_ids, memory), _mean_annotations(memory)))

    def log_values(self, state: PoolingState, memory: Memory) -> tf.Tensor:
        """`log v` of hypotheses: a state `[rows, ...]`, adjacent rows one sentence of `memory` -> float32 `[rows]`."""
        annotations = _mean_annotations(memory)
        rows, sentences = tf.shape(state.words)[0], tf.maximum(tf.shape(annotations)[0], 1)
        return tf.math.log_sigmoid(self._logits(*state.means(), tf.repeat(annotations, rows // sentences, axis=0)))

    def token_losses(self, source_ids: tf.Tensor, target_ids: tf.Tensor, training: bool = True) -> tf.Tensor:
        """The ranking loss `exp(v(x, worse) - v(x, better))` of each pair of prefixes, float32 `[batch]`.

        Args:
            source_ids: int32 `[batch, source]`.
            target_ids: int32 `[batch, 2 * prefix]`, the better prefix of each sentence and behind it the worse, each
                padded with 0 to half of the row.
            training: has no effect: there is no dropout.
        """
        better, worse = tf.split(target_ids, 2, axis=1)
        values = self((tf.tile(source_ids, [2, 1]), tf.concat([better, worse], axis=0)))
        better_values, worse_values = tf.split(values, 2)
        return tf.exp(worse_values - better_values)

    def _logits(self, states: tf.Tensor, contexts: tf.Tensor, annotations: tf.Tensor) -> tf.Tensor:
        modules = self.semantic_matching(states, contexts), self.context_coverage(contexts, annotations)
        return tf.squeeze(self.value_layer(tf.concat(modules, axis=-1)), axis=-1)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            **{name: keras.saving.serialize_keras_object(getattr(self, name)) for name in _PARTS},
        }

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> ValueNetwork:
        parts = {
            name: keras.saving.deserialize_keras_object(config[name], custom_objects=custom_objects) for name in _PARTS
        }
        return cls(**{**config, **parts})


_PARTS = ("policy", "semantic_matching", "context_coverage")


def _mean_annotations(memory: Memory) -> tf.Tensor:
    """float32 `[batch, annotation]`, over the real positions."""
    real = tf.cast(memory.mask, tf.float32)[:, :, tf.newaxis]
    return tf.reduce_sum(real * memory.annotations, axis=1) / tf.maximum(tf.reduce_sum(real, axis=1), 1.0)
