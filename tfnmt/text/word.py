"""Words as tokens."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.text.tokenizer import Tokenizer
from tfnmt.text.word_joiner import JOINERS
from tfnmt.text.word_splitter import WordSplitter


@keras.saving.register_keras_serializable(package="tfnmt")
class WordTokenizer(Tokenizer):
    """Words, split and joined by the rules of the Moses tokenizer and detokenizer (Koehn et al., 2007).

    Nothing is escaped: `&`, `<` and `'` stay as they are. Lower-casing comes after splitting, since abbreviations and
    the beginnings of sentences are known by their case. How often the rules agree with sacremoses on real text is in
    docs/moses_agreement.md.

    Args:
        language: "en", "de", "fr" or "cs".
        **kwargs: options of `Tokenizer`.

    Raises:
        UserError: there are no rules for the language.
    """

    def __init__(self, language: str = "en", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.language = language
        self._splitter = WordSplitter(language)
        self._joiner = JOINERS[language]()

    def split(self, strings: tf.Tensor) -> tf.RaggedTensor:
        words = self._splitter(self.clean(strings))
        if self.lowercase:
            words = words.with_flat_values(tf.strings.lower(words.flat_values, encoding="utf-8"))
        return words

    def join(self, tokens: tf.RaggedTensor) -> tf.Tensor:
        return self._joiner(tokens)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "language": self.language}
