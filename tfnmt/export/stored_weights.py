"""How an export keeps its weights: as they are, or in half or a quarter of the room."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import keras
import tensorflow as tf

from tfnmt.decoding.translator import Translator

Reader = Callable[[], tf.Tensor]
"""Graph code that gives a weight as float32 again."""


def bfloat16(weight: tf.Tensor) -> Reader:
    """Each number in 16 bits: the range of float32, 8 significant bits."""
    kept = tf.Variable(tf.cast(weight, tf.bfloat16), trainable=False)
    return lambda: tf.cast(kept, tf.float32)


def int8(weight: tf.Tensor) -> Reader:
    """Each row of a matrix as whole numbers from -127 to 127 and one scale; vectors, such as biases, as they are.

    A row, the last axis, is what one input adds to all outputs of a product, or one word of a table.
    """
    if weight.shape.rank < 2:
        plain = tf.Variable(weight, trainable=False)
        return lambda: tf.convert_to_tensor(plain)
    greatest = tf.reduce_max(tf.abs(weight), axis=-1, keepdims=True)
    scale = tf.Variable(tf.where(greatest > 0.0, greatest / 127.0, 1.0), trainable=False)
    kept = tf.Variable(tf.cast(tf.round(weight / scale), tf.int8), trainable=False)
    return lambda: tf.cast(kept, tf.float32) * scale


FORMS: dict[str, Callable[[tf.Tensor], Reader]] = {"bfloat16": bfloat16, "int8": int8}
"""What a weight may be kept as, beside float32."""


class StoredWeights:
    """The weights of a model, kept in another form; a call of an export reads each of them once, before it computes.

    The layers know nothing of it: Keras gives them the values that are read. So every model can be kept like that, and
    what is computed with them is what was computed before.

    Args:
        weights: of the model; what is no floating-point number stays as it is.
        form: one of `FORMS`.
    """

    def __init__(self, weights: Sequence[keras.Variable], form: str) -> None:
        self.readers = [
            (weight, FORMS[form](tf.cast(weight.value, tf.float32)))
            for weight in weights
            if keras.backend.is_float_dtype(weight.dtype)
        ]

    def translator(self, translator: Translator) -> StoredTranslator:
        """The graph functions of a translator of this model, computed with these weights."""
        return StoredTranslator(self, translator)

    def function(
        self, function: tf.types.experimental.PolymorphicFunction
    ) -> tf.types.experimental.PolymorphicFunction:
        """A `tf.function` of fixed signature, computed with these weights."""

        def computed(*arguments: tf.Tensor) -> object:
            values = [(weight, read()) for weight, read in self.readers]
            with keras.StatelessScope(state_mapping=values):
                return function.python_function(*arguments)

        return tf.function(computed, input_signature=function.input_signature, autograph=False)


class StoredTranslator:
    """What an export takes of a `Translator`: its graph functions."""

    def __init__(self, weights: StoredWeights, translator: Translator) -> None:
        self.translate_graph = weights.function(translator.translate_graph)
        self.translate_and_align_graph = weights.function(translator.translate_and_align_graph)
        self.align_graph = weights.function(translator.align_graph)
        self.score_graph = weights.function(translator.score_graph)
