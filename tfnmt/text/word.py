"""Words."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.text.tokenizer import Tokenizer


@keras.saving.register_keras_serializable(package="tfnmt")
class WordTokenizer(Tokenizer):
    """Words, split and joined by the rules of the Moses tokenizer and detokenizer.

    Args:
        language: "en", "de", "fr" or "cs".
        **kwargs: options of `Tokenizer`.
    """

    def __init__(self, language: str = "en", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.language = language

    def split(self, strings: tf.Tensor) -> tf.RaggedTensor:
        strings = tf.strings.regex_replace(self.clean(strings), r"([^\p{L}\p{M}\p{Nd}\p{Nl}\s.'`,\-])", r" \1 ")
        tokens = tf.strings.split(strings)
        if self.lowercase:
            tokens = tokens.with_flat_values(tf.strings.lower(tokens.flat_values, encoding="utf-8"))
        return tokens

    def join(self, tokens: tf.RaggedTensor) -> tf.Tensor:
        return tf.strings.reduce_join(tokens, axis=-1, separator=" ")

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "language": self.language}
