"""The score of the Transformer."""

from __future__ import annotations

import keras
import tensorflow as tf

from tfnmt.layers.dot_score import DotScore


@keras.saving.register_keras_serializable(package="tfnmt")
class ScaledDotScore(DotScore):
    """`score(h_t, h_s) = h_t^T h_s / sqrt(d)` for vectors of size `d` (Vaswani et al. 2017, equation 1).

    The sum of `d` products grows with `d`, and a softmax over large scores looks at one position and learns no other
    (their section 3.2.1). An optimizer that makes steps of one size, such as Adam, gets there in some hundred updates.
    """

    def keys(self, annotations: tf.Tensor) -> tf.Tensor:
        return annotations * annotations.shape[-1] ** -0.5
