"""The network: an encoder, a decoder and an output joined."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.models.memory import Memory
from tfnmt.models.sequences import append_end, prepend_start
from tfnmt.text.vocabulary import PAD


@keras.saving.register_keras_serializable(package="tfnmt")
class EncoderDecoder(keras.Model):
    """`p(y | x)` over ids.

    Args:
        encoder: source ids -> `Memory`.
        decoder: words so far and `Memory` -> features.
        output: features -> distribution over the target words.
        share_target_embedding: use the decoder's word vectors as the output's matrix too (Press & Wolf 2017), which
            needs features of the embedding's size.
        share_source_embedding: read the source by the decoder's word vectors, too, which needs one joint vocabulary
            (Vaswani et al. 2017, section 3.4, share all three).

    Call arguments:
        inputs: the pair `(source_ids [batch, source], target_ids [batch, target])`, int32, without start and end
            symbols, padded with 0 on the right.

    Returns:
        Logits of teacher forcing `[batch, target + 1, vocabulary]`; the last real one of a row predicts the end.
    """

    def __init__(
        self,
        encoder: keras.layers.Layer,
        decoder: keras.layers.Layer,
        output: keras.layers.Layer,
        share_target_embedding: bool = False,
        share_source_embedding: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.encoder = encoder
        self.decoder = decoder
        self.output_layer = output
        self.share_target_embedding = share_target_embedding
        if share_target_embedding:
            self.output_layer.share(decoder.embedding)
        self.share_source_embedding = share_source_embedding
        if share_source_embedding:
            self.encoder.share(decoder.embedding)

    def build(self, input_shape: Any = None) -> None:
        if not self.encoder.built:  # another network may share it
            self.encoder.build()
        self.decoder.build((None, None), self.encoder.memory_shape)
        if not self.output_layer.built:
            self.output_layer.build((None, self.decoder.features_size))
        self.built = True

    def with_encoder(self, encoder: keras.layers.Layer) -> EncoderDecoder:
        """A network of another encoder and this one's decoder and output; for use before this one is built."""
        return EncoderDecoder(
            encoder,
            self.decoder,
            self.output_layer,
            self.share_target_embedding,
            self.share_source_embedding,
            name=self.name,
            trainable=self.trainable,
        )

    @property
    def word_vectors(self) -> list[keras.Variable]:
        """The tables of both sides' word vectors and the output's rows and biases, each once."""
        found = [self.encoder.embedding.table, self.decoder.embedding.table, self.output_layer.rows]
        found += [self.output_layer.bias] if self.output_layer.has_bias else []
        return list({id(variable): variable for variable in found}.values())

    def fix_word_vectors(self, fixed: bool = True) -> None:
        """Keeps training from changing the word vectors, as Jean et al. (2015, section 4.1) do late in training."""
        for variable in self.word_vectors:
            variable.trainable = not fixed

    def encode(self, source_ids: tf.Tensor, training: bool = False) -> Memory:
        """The prepared memory of `source_ids [batch, source]`."""
        return self.decoder.prepare(self.encoder(source_ids, training=training))

    def call(self, inputs: tuple[tf.Tensor, tf.Tensor], training: bool = False) -> tf.Tensor:
        features, _ = self._teacher_forcing(*inputs, training=training)
        return self.output_layer.logits(features)

    def token_losses(self, source_ids: tf.Tensor, target_ids: tf.Tensor, training: bool = True) -> tf.Tensor:
        """The training loss of each real target word and each end symbol, float32 `[tokens]`."""
        features, _ = self._teacher_forcing(source_ids, target_ids, training=training)
        labels = append_end(target_ids)
        real = tf.not_equal(labels, PAD)
        return self.output_layer.loss(tf.boolean_mask(features, real), tf.boolean_mask(labels, real))

    def token_negative_log_likelihoods(
        self, source_ids: tf.Tensor, target_ids: tf.Tensor
    ) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        """What each real target word and end symbol costs, exactly, without dropout or smoothing.

        Returns:
            `-log p` float32 `[batch, target + 1]` (0 at padding), its mask, and the attention weights
            `[batch, target + 1, source]`.
        """
        features, weights = self._teacher_forcing(source_ids, target_ids, training=False)
        labels = append_end(target_ids)
        real = tf.not_equal(labels, PAD)
        costs = self.output_layer.negative_log_likelihood(
            tf.boolean_mask(features, real), tf.boolean_mask(labels, real)
        )
        placed = tf.scatter_nd(tf.where(real), costs, tf.shape(real, out_type=tf.int64))
        return placed, real, weights

    def _teacher_forcing(
        self, source_ids: tf.Tensor, target_ids: tf.Tensor, training: bool
    ) -> tuple[tf.Tensor, tf.Tensor]:
        memory = self.encode(source_ids, training=training)
        return self.decoder(prepend_start(target_ids), memory, training=training)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "encoder": keras.saving.serialize_keras_object(self.encoder),
            "decoder": keras.saving.serialize_keras_object(self.decoder),
            "output": keras.saving.serialize_keras_object(self.output_layer),
            "share_target_embedding": self.share_target_embedding,
            "share_source_embedding": self.share_source_embedding,
        }

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> EncoderDecoder:
        parts = {
            name: keras.saving.deserialize_keras_object(config[name], custom_objects=custom_objects)
            for name in ("encoder", "decoder", "output")
        }
        return cls(**{**config, **parts})
