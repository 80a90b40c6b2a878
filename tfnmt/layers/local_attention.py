"""Attention over a window of the source."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.attention import Attend, Attention
from tfnmt.layers.masked_softmax import masked_softmax
from tfnmt.layers.products import LookUp, Products
from tfnmt.layers.score import Score
from tfnmt.layers.window import Window


@keras.saving.register_keras_serializable(package="tfnmt")
class LocalAttention(Attention):
    """Attention over the `2 D + 1` positions around `p_t` (Luong et al. 2015, section 3.2).

    The window is cut at the ends of the sentence. Its weights are the softmax of the scores inside it, times the
    window's emphasis (a Gaussian for local-p), *not* normalised again: the weights of local-p sum to less than 1.
    Only the window's rows are gathered, scored and summed, so a step costs O(D) whatever the source's length. In
    training only they get a gradient, but TensorFlow copies the sum that it is added to, which grows with the source.

    Args:
        score: compares a query with an annotation.
        window: `MonotonicWindow()` or `PredictiveWindow(units)`.
        half_width: `D`, 1 at least.

    Raises:
        ValueError: the half width is less than 1, which leaves a Gaussian without a width.
    """

    def __init__(self, score: Score, window: Window, half_width: int = 10, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if half_width < 1:
            raise ValueError(f"A window reaches 1 position at least to each side of its middle, not {half_width}.")
        self.score = score
        self.window = window
        self.half_width = half_width

    def build(self, queries_shape: tuple[int | None, ...], annotations_shape: tuple[int | None, ...]) -> None:
        self.build_part(self.score, queries_shape, annotations_shape)
        self.build_part(self.window, queries_shape)
        self.built = True

    @property
    def from_content(self) -> bool:
        return self.score.from_content

    def keys(self, annotations: tf.Tensor) -> Any:
        return self.score.keys(annotations)

    def in_loop(self, products: Products, annotations: tf.Tensor, mask: tf.Tensor, keys: Any) -> Attend:
        score = self.score.in_loop(products)
        place = self.window.centre(products)
        annotations_at = products.look_up(annotations, self.compute_dtype)
        keys_at = tf.nest.map_structure(lambda tensor: products.look_up(tensor, self.score.keys_dtype), keys)

        def attend(queries: tf.Tensor, numbers: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
            batch, hypotheses = tf.shape(queries)[0], tf.shape(queries)[1]
            lengths = tf.reduce_sum(tf.cast(mask, tf.int32), axis=-1)
            centres = place(queries, numbers, lengths)
            middles = tf.cast(tf.floor(centres), tf.int32)[..., tf.newaxis]
            positions = middles + tf.range(-self.half_width, self.half_width + 1)  # [batch, hypotheses, window]
            inside = (positions >= 0) & (positions < lengths[:, tf.newaxis, tf.newaxis])
            readable = tf.clip_by_value(positions, 0, tf.shape(mask)[1] - 1)

            def window_of(look_up: LookUp) -> tf.Tensor:
                """`[batch * hypotheses, window, ...]` of `[batch, source, ...]`."""
                gathered = look_up(readable)
                return tf.reshape(gathered, tf.concat([[batch * hypotheses], tf.shape(gathered)[2:]], axis=0))

            rows = tf.reshape(queries, [batch * hypotheses, 1, queries.shape[-1]])
            scores = score(rows, tf.nest.map_structure(window_of, keys_at))  # [rows, 1, window]
            scores = tf.reshape(scores, tf.shape(positions))
            distance = tf.cast(positions, tf.float32) - centres[..., tf.newaxis]
            weights = masked_softmax(scores, inside) * self.window.emphasis(distance, self.half_width)
            contexts = tf.matmul(
                self.operand(tf.reshape(weights, [batch * hypotheses, 1, -1])), self.operand(window_of(annotations_at))
            )
            contexts = tf.reshape(contexts, [batch, hypotheses, annotations.shape[-1]])
            return tf.cast(contexts, tf.float32), _spread(weights, readable, tf.shape(mask)[1])

        return attend

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "score": keras.saving.serialize_keras_object(self.score),
            "window": keras.saving.serialize_keras_object(self.window),
            "half_width": self.half_width,
        }

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> LocalAttention:
        parts = {name: keras.saving.deserialize_keras_object(config[name]) for name in ("score", "window")}
        return cls(**{**config, **parts})


def _spread(weights: tf.Tensor, positions: tf.Tensor, source: tf.Tensor) -> tf.Tensor:
    """Window weights at their source positions: `[batch, hypotheses, window] -> [batch, hypotheses, source]`."""
    shape = tf.shape(weights)
    rows = tf.repeat(tf.range(shape[0] * shape[1]), shape[2])
    flat = tf.scatter_nd(
        tf.stack([rows, tf.reshape(positions, [-1])], axis=-1),
        tf.reshape(weights, [-1]),
        tf.stack([shape[0] * shape[1], source]),
    )
    return tf.reshape(flat, [shape[0], shape[1], source])
