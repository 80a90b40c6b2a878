"""A network that copies its source and looks at the word that it copies, without being trained."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnmt.decoding.beam_search import BeamSearch
from tfnmt.decoding.translator import Translator
from tfnmt.models.memory import Memory
from tfnmt.models.sequences import append_end, count_words
from tfnmt.text.tokenizer import Tokenizer
from tfnmt.text.vocabulary import PAD, Vocabulary

WORDS = tuple(f"w{number}" for number in range(20))


def random_lines(lengths: list[int], seed: int = 1) -> list[str]:
    random = np.random.default_rng(seed)
    return [" ".join(random.choice(WORDS, length)) for length in lengths]


S20 = random_lines([1, 1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 40, 2, 10, 11, 3, 12, 6, 1])
S20[8] = "x"  # a line of one character, which is no word of the model's
"""Twenty lines of unlike lengths, as the field cases describe them."""


class BlankTokenizer(Tokenizer):
    """Words between blanks; traced much faster than the Moses rules."""

    def split(self, strings: tf.Tensor) -> tf.RaggedTensor:
        return tf.strings.split(self.clean(strings))

    def join(self, tokens: tf.RaggedTensor) -> tf.Tensor:
        return tf.strings.reduce_join(tokens, axis=-1, separator=" ")


class CopyEncoder:
    vocabulary_size = len(WORDS) + 4


class CopyDecoder:
    """State: the position that is copied next. Features: the logits themselves."""

    vocabulary_size = len(WORDS) + 4
    max_target_length = None

    def __init__(self, certainty: float, alignment_shift: int) -> None:
        self.certainty = certainty
        self.alignment_shift = alignment_shift

    def initial_state(self, memory: Memory, hypotheses: int = 1) -> tf.Tensor:
        return tf.zeros([tf.shape(memory.words)[0] * hypotheses], tf.int32)

    def step(self, ids: tf.Tensor, state: tf.Tensor, memory: Memory) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        hypotheses = tf.shape(ids)[0] // tf.shape(memory.words)[0]
        source = tf.repeat(memory.annotations, hypotheses, axis=0)
        last = tf.shape(source)[1] - 1
        copied = tf.gather(source, tf.minimum(state, last), batch_dims=1)
        looked_at = tf.minimum(tf.maximum(state - self.alignment_shift, 0), last)
        return self.logits(copied), state + 1, tf.one_hot(looked_at, last + 1)

    def logits(self, copied: tf.Tensor) -> tf.Tensor:
        # The other words are unlikely, each a little more than the one before, so that no two hypotheses tie.
        others = tf.linspace(0.0, 1.0, self.vocabulary_size)
        return others + self.certainty * tf.one_hot(copied, self.vocabulary_size)


class CopyOutput:
    def logits(self, features: tf.Tensor) -> tf.Tensor:
        return features

    def log_normalizers(self, logits: tf.Tensor) -> tf.Tensor:
        return tf.reduce_logsumexp(logits, axis=-1)


class CopyNetwork:
    """What a `Translator` needs of a network."""

    built = True

    def __init__(self, certainty: float = 6.0, alignment_shift: int = 0) -> None:
        self.encoder = CopyEncoder()
        self.decoder = CopyDecoder(certainty, alignment_shift)
        self.output_layer = CopyOutput()

    def encode(self, source_ids: tf.Tensor) -> Memory:
        source = append_end(source_ids)
        return Memory(annotations=source, mask=source != PAD, summary=(), words=count_words(source_ids))

    def token_negative_log_likelihoods(self, source_ids: tf.Tensor, target_ids: tf.Tensor) -> tuple[Any, Any, Any]:
        source, labels = append_end(source_ids), append_end(target_ids)
        length, last = tf.shape(source)[1], tf.shape(source)[1] - 1
        steps = tf.tile(tf.range(tf.shape(labels)[1])[tf.newaxis], [tf.shape(labels)[0], 1])
        copied = tf.gather(source, tf.minimum(steps, last), batch_dims=1)
        costs = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, self.decoder.logits(copied))
        mask = labels != PAD
        looked_at = tf.clip_by_value(steps - self.decoder.alignment_shift, 0, last)
        return costs * tf.cast(mask, tf.float32), mask, tf.one_hot(looked_at, length)


def copy_translator(network: CopyNetwork | None = None, **options: Any) -> Translator:
    tokenizers = BlankTokenizer(), BlankTokenizer()
    for tokenizer in tokenizers:
        tokenizer.use(Vocabulary(WORDS))
    return Translator(*tokenizers, network or CopyNetwork(), options.pop("search", BeamSearch()), **options)
