"""Which target words a translation of a sentence may hold (Jean et al. 2015, section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from tfnmt.layers.candidates import Candidates
from tfnmt.text.lexicon import Lexicon
from tfnmt.text.vocabulary import UNKNOWN, Vocabulary

LEAST = UNKNOWN + 1
"""The control symbols are candidates of every sentence."""


@keras.saving.register_keras_serializable(package="tfnmt")
class CandidateList(keras.layers.Layer):
    """The K most frequent target words, and for each source word its K' likeliest translations.

    A search then computes the logits of these words alone; all others have no probability, and the softmax is over the
    list. The cost of a word no longer grows with the vocabulary. With `common` as large as the vocabulary it is the
    search without a list. (The authors' code decodes a sentence again with twice the common words when no hypothesis
    ends, and shares one list among a hundred sentences for speed; here each sentence has its own, once.)

    Args:
        common: K, shared by all sentences; the control symbols count.
        translations: K', at most.
        source_vocabulary_size: of the source words whose translations are kept, control symbols included.

    Call arguments:
        source_ids: int32 `[batch, source]`, padded with 0.

    Returns:
        `Candidates` of the sentences.

    Raises:
        ValueError: `common` has no room for the control symbols, or a number is negative.
    """

    def __init__(self, common: int, translations: int, source_vocabulary_size: int, **kwargs: Any) -> None:
        super().__init__(**{"dtype": "float32", **kwargs})
        if common < LEAST or translations < 0:
            raise ValueError(
                f"A candidate list needs at least {LEAST} common words and no negative number of translations; "
                f"got {common} and {translations}."
            )
        self.common = common
        self.translations = translations
        self.source_vocabulary_size = source_vocabulary_size
        # as a weight, so that the list is saved and exported with its model
        self.table = self.add_weight(
            name="table",
            shape=(source_vocabulary_size, translations),
            initializer="zeros",
            dtype="int32",
            trainable=False,
        )
        self.built = True

    @classmethod
    def of(
        cls, lexicon: Lexicon, source: Vocabulary, target: Vocabulary, common: int, translations: int
    ) -> CandidateList:
        """The list of a lexicon: the likeliest translations of each source word that the target vocabulary has.

        More common words than the target vocabulary has are all of its words.
        """
        candidates = cls(min(common, target.size), translations, source.size)
        table = np.zeros([source.size, translations], np.int32)
        entries = [
            (row, lexicon.entries[word]) for row, word in enumerate(source.entries, LEAST) if word in lexicon.entries
        ]
        words = [translation.word for _, found in entries for translation in found[:translations]]
        ids = iter(target.ids(tf.constant(words, tf.string)).numpy().tolist())
        for row, found in entries:
            known = [number for number in (next(ids) for _ in found[:translations]) if number != UNKNOWN]
            table[row, : len(known)] = known
        candidates.table.assign(table)
        return candidates

    @classmethod
    def union(cls, lists: Sequence[CandidateList]) -> CandidateList:
        """The words that any of the lists has, for networks that translate together.

        Raises:
            ValueError: the lists are of different source vocabularies.
        """
        first = lists[0]
        if any(other.source_vocabulary_size != first.source_vocabulary_size for other in lists):
            raise ValueError("Candidate lists of different source vocabularies cannot be joined.")
        common = max(other.common for other in lists)
        joined = cls(common, sum(other.translations for other in lists), first.source_vocabulary_size)
        joined.table.assign(np.concatenate([other.table.numpy() for other in lists], axis=1))
        return joined

    def call(self, source_ids: tf.Tensor) -> Candidates:
        found = tf.gather(self.table.value, source_ids)  # [batch, source, translations]
        words = tf.shape(source_ids)[1] * self.translations
        return Candidates.of(self.common, tf.reshape(found, [tf.shape(source_ids)[0], words]))

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "common": self.common,
            "translations": self.translations,
            "source_vocabulary_size": self.source_vocabulary_size,
        }
