"""Does the prefix say what was read of the source?"""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.comparison import Comparison


@keras.saving.register_keras_serializable(package="tfnmt")
class SemanticMatching(Comparison):
    """The semantic matching module of a value network (He et al. 2017, section 3.1)::

        mu_SM = f_SM([mean of r_1 .. r_t; mean of c_1 .. c_t])

    It compares what a prefix says, the decoder's states `r` after each of its words, with the part of the source that
    was looked at for it, the contexts `c`.

    Args:
        units: size of `mu_SM`.
        kernel_initializer: draws the halves of the matrix.

    Call arguments:
        states: `[..., units of the decoder]`, the mean state of each prefix.
        contexts: `[..., annotation]`, its mean context.

    Returns:
        float32 `[..., units]`.
    """

    def build(self, states_shape: Any, contexts_shape: Any) -> None:
        self.add_kernels(states=states_shape[-1], contexts=contexts_shape[-1])

    def call(self, states: tf.Tensor, contexts: tf.Tensor) -> Any:
        return self.compare(states, contexts)
