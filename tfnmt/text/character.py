"""Characters as tokens."""

from __future__ import annotations

import keras
import tensorflow as tf

from tfnmt.text.tokenizer import Tokenizer


@keras.saving.register_keras_serializable(package="tfnmt")
class CharacterTokenizer(Tokenizer):
    """Every Unicode character is a token, the blank between two words as well.

    Runs of white space count as one blank and blanks at the ends are dropped, so a blank row stays empty and no
    translation ends in a blank.
    """

    def split(self, strings: tf.Tensor) -> tf.RaggedTensor:
        strings = self.clean(strings)
        if self.lowercase:
            strings = tf.strings.lower(strings, encoding="utf-8")
        return tf.strings.unicode_split(strings, "UTF-8")

    def join(self, tokens: tf.RaggedTensor) -> tf.Tensor:
        return tf.strings.strip(tf.strings.reduce_join(tokens, axis=-1))
