"""The pooling encoder of Gehring et al."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.models.positioned_encoder import PositionedEncoder


@keras.saving.register_keras_serializable(package="tfnmt")
class PoolingEncoder(PositionedEncoder):
    """Attention scores the mean of the `k` vectors around each word, and sums the vectors themselves::

        z_j = 1/k sum_{|t| <= k/2} e_{j+t}          scored; zeros beyond the ends of the sentence
        e_j = w_j + l_j                             summed

    (Gehring et al. 2016, section 3.1.) No weights but vectors. The other arguments are those of `PositionedEncoder`.

    Args:
        width: `k`, odd (paper: 5).

    Raises:
        ValueError: the width is even, which has no middle.
    """

    def __init__(self, vocabulary_size: int, embedding_size: int = 256, width: int = 5, **kwargs: Any) -> None:
        super().__init__(vocabulary_size, embedding_size, **kwargs)
        if width % 2 == 0:
            raise ValueError(f"A mean is over as many words to each side: its width must be odd, not {width}.")
        self.width = width
        self.scored_size = embedding_size

    def encode(self, ids: tf.Tensor, mask: tf.Tensor, training: bool) -> tuple[Any, ...]:
        vectors = self.vectors(ids, training)
        half, time = self.width // 2, tf.shape(ids)[1]
        padded = tf.pad(tf.where(mask[..., tf.newaxis], vectors, 0.0), [[0, 0], [half, half], [0, 0]])
        means = tf.add_n([padded[:, place : place + time] for place in range(self.width)]) / self.width
        return vectors, (), means

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "width": self.width}
