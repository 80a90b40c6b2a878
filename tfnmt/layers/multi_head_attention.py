"""The attention of the Transformer."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.attention import Attend, Attention
from tfnmt.layers.initializers import fresh
from tfnmt.layers.masked_softmax import masked_softmax
from tfnmt.layers.products import Products

HeadKeys = tuple[tf.Tensor, tf.Tensor]
"""`K W^K` and `V W^V`, `[batch, heads, positions, head size]` each, laid out and in the type as products read them."""


@keras.saving.register_keras_serializable(package="tfnmt")
class MultiHeadAttention(Attention):
    """Scaled dot-product attention by several heads (Vaswani et al. 2017, section 3.2)::

        Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V
        head_i             = Attention(Q W_i^Q, K W_i^K, V W_i^V)
        MultiHead          = [head_1; ...; head_h] W^O

    Without biases, as in the authors' code. The mathematics is that of Keras's own `MultiHeadAttention` without bias,
    which a test compares it with; that layer projects keys and values at each call, so a search would project the
    source again for each word, and under mixed precision its softmax is not float32.

    As any attention here it can stand in a recurrent decoder, too; its weights are then the mean over the heads.

    Args:
        heads: `h`.
        head_size: `d_k = d_v`, size of a head's queries, keys and values.
        kernel_initializer: draws all matrices (authors' code: Glorot uniform).
    """

    def __init__(self, heads: int, head_size: int, kernel_initializer: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.heads = heads
        self.head_size = head_size
        self.kernel_initializer = keras.initializers.get(kernel_initializer or keras.initializers.GlorotUniform())

    def build(self, queries_shape: tuple[int | None, ...], annotations_shape: tuple[int | None, ...]) -> None:
        queries, annotations, width = queries_shape[-1], annotations_shape[-1], self.heads * self.head_size
        shapes = {
            "query_kernel": (queries, width),
            "key_kernel": (annotations, width),
            "value_kernel": (annotations, width),
            "output_kernel": (width, annotations),
        }
        for place, (name, shape) in enumerate(shapes.items()):
            kernel = self.add_weight(name=name, shape=shape, initializer=fresh(self.kernel_initializer, place))
            setattr(self, name, kernel)
        self.built = True

    def keys(self, annotations: tf.Tensor) -> HeadKeys:
        return (
            self._apart(self.operand(self.product(annotations, self.key_kernel))),
            self._apart(self.operand(self.product(annotations, self.value_kernel))),
        )

    def look(self, queries: tf.Tensor, keys: HeadKeys, mask: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """Attention with the weights of each head.

        Args:
            queries: `[batch, queries, query units]`.
            keys: what `keys` made of `[batch, positions, annotation]`.
            mask: bool, broadcasts against `[batch, queries, positions]`; True at what may be looked at.

        Returns:
            Contexts `[batch, queries, annotation]` and weights `[batch, heads, queries, positions]`, float32.
        """
        contexts, weights = self._heads(self.product(queries, self.query_kernel), keys, mask)
        return self.product(contexts, self.output_kernel), weights

    def in_loop(self, products: Products, annotations: tf.Tensor, mask: tf.Tensor, keys: HeadKeys) -> Attend:
        query_product = products.by(self.query_kernel, self.compute_dtype)
        output_product = products.by(self.output_kernel, self.compute_dtype)
        keys = tuple(tf.cast(part, tf.float32) for part in keys)  # as which a loop sums their gradients
        keys = products.fixed(keys, self.compute_dtype)

        def attend(queries: tf.Tensor, numbers: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
            read = tuple(map(self.operand, keys))
            contexts, weights = self._heads(query_product(queries), read, mask[:, tf.newaxis])
            return output_product(contexts), tf.reduce_mean(weights, axis=1)

        return attend

    def _heads(self, queries: tf.Tensor, keys: HeadKeys, mask: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """`queries [batch, queries, heads * head size]` -> the heads side by side, and the weights of each."""
        projected, values = keys
        scores = tf.matmul(self._apart(self.operand(queries)), projected, transpose_b=True)
        weights = masked_softmax(tf.cast(scores, tf.float32) * self.head_size**-0.5, mask[:, tf.newaxis])
        contexts = tf.cast(tf.matmul(self.operand(weights), values), tf.float32)
        return self._side_by_side(contexts), weights

    def _apart(self, vectors: tf.Tensor) -> tf.Tensor:
        """`[batch, positions, heads * head size] -> [batch, heads, positions, head size]`."""
        shape = tf.concat([tf.shape(vectors)[:2], [self.heads, self.head_size]], axis=0)
        return tf.transpose(tf.reshape(vectors, shape), [0, 2, 1, 3])

    def _side_by_side(self, heads: tf.Tensor) -> tf.Tensor:
        """`[batch, heads, positions, head size] -> [batch, positions, heads * head size]`."""
        shape = tf.shape(heads)
        return tf.reshape(tf.transpose(heads, [0, 2, 1, 3]), [shape[0], shape[2], self.heads * self.head_size])

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "heads": self.heads,
            "head_size": self.head_size,
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
        }
