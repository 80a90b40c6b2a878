"""What the network left unknown is taken from the source sentence: translated by a lexicon, else copied."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.text.lexicon import Lexicon
from tfnmt.text.vocabulary import PAD, UNKNOWN


class TranslationRule:
    """Decides which source words may go through the lexicon; the others are copied. The base of the rules."""

    def __call__(self, source_words: tf.Tensor) -> tf.Tensor:
        """[words] strings -> [words] bool."""
        raise NotImplementedError(f"{type(self).__name__} must implement __call__().")

    def get_config(self) -> dict[str, Any]:
        return {}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> TranslationRule:
        return cls(**config)


@keras.saving.register_keras_serializable(package="tfnmt")
class AnyWord(TranslationRule):
    """Every word may be translated (Luong et al., 2015b)."""

    def __call__(self, source_words: tf.Tensor) -> tf.Tensor:
        return tf.ones_like(source_words, tf.bool)


@keras.saving.register_keras_serializable(package="tfnmt")
class LowerCaseWord(TranslationRule):
    """Only a word that begins with a lower-case letter is translated; others are names (Jean et al., 2015)."""

    def __call__(self, source_words: tf.Tensor) -> tf.Tensor:
        return tf.strings.regex_full_match(source_words, r"\p{Ll}.*")


def replace_unknown_words(
    target_tokens: tf.RaggedTensor,
    target_ids: tf.Tensor | tf.RaggedTensor,
    source_tokens: tf.RaggedTensor,
    alignment: tf.Tensor,
    lexicon: Lexicon | None = None,
    rule: TranslationRule | None = None,
) -> tf.RaggedTensor:
    """Put source words in the places of unknown target words (Luong et al., 2015b; Jean et al., 2015).

    The ids say what is unknown, not the spelling: a target word that is written "<unk>" stays. The source words are the
    surface tokens of the sentence, so a word that is unknown on both sides is copied as the source tokenizer reads it.

    Args:
        target_tokens: [batch, (target)] strings.
        target_ids: [batch, target] or [batch, (target)] integers, the ids of these tokens from the first column on.
        source_tokens: [batch, (source)] strings, as the source tokenizer's `split` gives them.
        alignment: [batch, target] integers, the source position of each target word; what lies beyond a row's target
            words is not read. A word at a negative position is aligned to nothing and stays "<unk>"; positions beyond
            the source sentence (its end symbol) are moved to the last word.
        lexicon: translations of source words; None to copy always.
        rule: which source words go through the lexicon; None for `AnyWord()`.

    Returns:
        [batch, (target)] strings. A row without source words keeps its "<unk>".
    """
    rows = target_tokens.value_rowids()
    lengths = source_tokens.row_lengths()
    places = tf.stack([rows, tf.ragged.range(target_tokens.row_lengths()).flat_values], axis=1)
    if isinstance(target_ids, tf.RaggedTensor):
        target_ids = target_ids.to_tensor(PAD)
    last = tf.gather(lengths, rows) - 1  # [target words], as all that follows
    positions = tf.cast(tf.gather_nd(alignment, places), tf.int64)
    replaced = (tf.gather_nd(target_ids, places) == UNKNOWN) & (last >= 0) & (positions >= 0)
    positions = tf.clip_by_value(positions, 0, tf.maximum(last, 0))

    offsets = tf.gather(source_tokens.row_starts(), rows) + positions
    words = tf.gather(source_tokens.flat_values, tf.boolean_mask(offsets, replaced))
    if lexicon is not None:
        translations, found = lexicon.lookup(words)
        words = tf.where(found & (rule or AnyWord())(words), translations, words)
    written = tf.tensor_scatter_nd_update(target_tokens.flat_values, tf.where(replaced), words)
    return target_tokens.with_flat_values(written)
