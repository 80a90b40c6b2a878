"""Was enough of the source looked at?"""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.comparison import Comparison


@keras.saving.register_keras_serializable(package="tfnmt")
class ContextCoverage(Comparison):
    """The context coverage module of a value network (He et al. 2017, section 3.1)::

        mu_CC = f_CC([mean of c_1 .. c_t; mean of h_1 .. h_Tx])

    It compares the part of the source that was looked at for a prefix, the contexts `c`, with the whole source, the
    annotations `h`.

    Args:
        units: size of `mu_CC`.
        kernel_initializer: draws the halves of the matrix.

    Call arguments:
        contexts: `[..., annotation]`, the mean context of each prefix.
        annotations: `[..., annotation]`, the mean annotation of its source.

    Returns:
        float32 `[..., units]`.
    """

    def build(self, contexts_shape: Any, annotations_shape: Any) -> None:
        self.add_kernels(contexts=contexts_shape[-1], annotations=annotations_shape[-1])

    def call(self, contexts: tf.Tensor, annotations: tf.Tensor) -> Any:
        return self.compare(contexts, annotations)
