"""The base of the encoders: a sentence in, annotations out."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tfnmt.layers.product_layer import ProductLayer
from tfnmt.layers.word_embedding import WordEmbedding
from tfnmt.models.memory import Memory
from tfnmt.models.sequences import append_end, count_words, with_room
from tfnmt.text.vocabulary import PAD


class Encoder(ProductLayer):
    """Reads source ids and leaves a `Memory`.

    A subclass sets `vocabulary_size`, `annotation_size` and `summary_shape` and implements `encode`.

    Args:
        append_end: whether the end symbol is read (and may be attended to) as the last position of each sentence.

    Call arguments:
        source_ids: int32 `[batch, source]`, no control symbol but unknown, padded with 0 on the right.

    Returns:
        A `Memory` of `source` (+ 1 with the end symbol) positions, of one at least.
    """

    vocabulary_size: int
    annotation_size: int
    summary_shape: Any
    scored_size: int | None = None
    """Size of what attention scores in place of the annotations, if it does."""

    def __init__(self, append_end: bool = True, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.append_end = append_end

    @property
    def memory_shape(self) -> Memory:
        """The shapes of what this encoder leaves."""
        return Memory(
            annotations=(None, None, self.annotation_size),
            mask=(None, None),
            summary=self.summary_shape,
            words=(None,),
            scored=() if self.scored_size is None else (None, None, self.scored_size),
        )

    def get_build_config(self) -> None:
        """The network that holds the encoder builds it."""
        return None

    def share(self, embedding: WordEmbedding) -> None:
        """Reads words by another part's vectors; call before the encoder is built.

        Raises:
            ValueError: the vectors do not fit, or this encoder has its own in any case.
        """
        raise ValueError(f"A {type(self).__name__} cannot share the word vectors of the target side.")

    def encode(self, ids: tf.Tensor, mask: tf.Tensor, training: bool) -> tuple[Any, ...]:
        """Annotations `[batch, source, annotation]` and the summary of ids `[batch, source]` under `mask`.

        Where attention scores something else than the annotations, that comes third, `[batch, source, scored size]`.
        """
        raise NotImplementedError

    def call(self, source_ids: tf.Tensor, training: bool = False) -> Memory:
        ids = append_end(source_ids) if self.append_end else with_room(source_ids)
        mask = tf.not_equal(ids, PAD)
        annotations, summary, *scored = self.encode(ids, mask, training)
        memory = Memory(annotations=annotations, mask=mask, summary=summary, words=count_words(source_ids))
        return memory._replace(scored=scored[0]) if scored else memory

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "append_end": self.append_end}
