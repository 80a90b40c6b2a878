"""No attention: the context vector is the encoder's last state."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.attention import Attend, Attention
from tfnmt.layers.products import Products


@keras.saving.register_keras_serializable(package="tfnmt")
class FixedContext(Attention):
    """`c_i = h_{T_x}` for every `i`: the fixed-length vector of RNNencdec.

    Takes the place of an attention: RNNencdec is RNNsearch with this in it (Bahdanau et al. 2015, sections 2.1 and
    4.2; Cho et al. 2014). The weights are 1 at the last real position; they align nothing.
    """

    def build(self, queries_shape: tuple[int | None, ...], annotations_shape: tuple[int | None, ...]) -> None:
        self.built = True

    @property
    def from_content(self) -> bool:
        return False

    def keys(self, annotations: tf.Tensor) -> tuple[()]:
        """Nothing to project."""
        return ()

    def in_loop(self, products: Products, annotations: tf.Tensor, mask: tf.Tensor, keys: Any) -> Attend:
        last = tf.maximum(tf.reduce_sum(tf.cast(mask, tf.int32), axis=-1) - 1, 0)
        context = products.fixed(tf.cast(tf.gather(annotations, last, batch_dims=1), tf.float32))
        weights = tf.one_hot(last, tf.shape(annotations)[1])

        def attend(queries: tf.Tensor, numbers: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
            hypotheses = tf.shape(queries)[1]
            return (
                tf.repeat(context[:, tf.newaxis], hypotheses, axis=1),
                tf.repeat(weights[:, tf.newaxis], hypotheses, axis=1),
            )

        return attend
