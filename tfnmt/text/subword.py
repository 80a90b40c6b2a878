"""Parts of words, learnt by SentencePiece."""

from __future__ import annotations

import io
import itertools
import random
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import keras
import tensorflow as tf

from tfnmt.errors import UserError, nearest
from tfnmt.text.optional_kernels import tensorflow_text
from tfnmt.text.tokenizer import Tokenizer, batches
from tfnmt.text.vocabulary import CONTROL_SYMBOLS, Vocabulary

_ALGORITHMS = ("bpe", "unigram")
_DEFAULT_SIZE = 8_000
_MODEL_FILE = "sentencepiece.model"
_BLANK = "\N{LOWER ONE EIGHTH BLOCK}"  # SentencePiece's sign for the blank before a word
# SentencePiece's own unknown piece, spelled with a character that `clean` removes from every text.
_UNKNOWN_PIECE = "\x01"
# The text is normalised here, not there. A rule that never applies (U+0001 -> blank) stands for "none", since the
# tokenizer of tensorflow-text reports a model without rules on standard error at each start.
_NO_NORMALIZATION = "1\t20\n"
_LONGEST_LINE = 1_000_000  # bytes; SentencePiece drops longer ones without a word, by default from 4,192 on
_MOST_LINES = 2_000_000  # learning draws this many lines from a larger corpus, so that memory stays bounded


@keras.saving.register_keras_serializable(package="tfnmt")
class SubwordTokenizer(Tokenizer):
    """Pieces of words: learnt with the sentencepiece package, split by tensorflow-text inside the graph.

    The pieces go through a `Vocabulary` of our own, so the control symbols have the same ids as everywhere else. A
    run of characters that were never seen is one piece and becomes unknown. The blank is part of the piece that follows
    it, as SentencePiece writes it (U+2581); that character in a user's text counts as white space.

    Args:
        algorithm: "bpe" (Sennrich et al., 2016) or "unigram" (Kudo, 2018).
        **kwargs: options of `Tokenizer`.

    Set random seeds *before* a model is learnt or loaded: `tf.random.set_seed` clears the kernels that own TensorFlow's
    copy of the pieces.

    Raises:
        UserError: on an unknown algorithm.
    """

    def __init__(self, algorithm: str = "bpe", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if algorithm not in _ALGORITHMS:
            raise UserError(f"Unknown subword algorithm '{algorithm}'. {nearest(algorithm, _ALGORITHMS)}")
        self.algorithm = algorithm
        self._sentencepiece: Any = None  # tensorflow_text.SentencepieceTokenizer
        self._model = b""

    def learn(self, lines: Iterable[str], size: int | None = None, minimum_count: int = 1) -> None:
        """Learn the pieces and with them the vocabulary.

        Args:
            lines: sentences; read once. Of more than 2,000,000, a fixed random choice of that many is used.
            size: vocabulary size, the four control symbols included; None for 8,000. A small corpus may give fewer.
            minimum_count: characters seen less often become unknown; nothing is learnt from words that hold one.

        Raises:
            UserError: the lines hold no text, or `size` is smaller than the number of different characters.
        """
        import sentencepiece

        sentences = _sample(line for line in self._cleaned(lines) if line)
        characters = Counter(itertools.chain.from_iterable(sentences))
        rare = {character for character, count in characters.items() if count < minimum_count}
        size = size or _DEFAULT_SIZE
        smallest = len(characters.keys() - rare - {" "}) + 1 + len(CONTROL_SYMBOLS)  # the sign for a blank counts, too
        if not sentences:
            raise UserError("No pieces can be learnt: the text holds no word. Is the file empty or blank?")
        if size < smallest:
            raise UserError(
                f"A subword vocabulary of size {size} is too small: the different characters of the text alone need "
                f"{smallest} places. Choose a larger size, or leave rare characters out by a larger minimum count."
            )
        model = io.BytesIO()
        with tempfile.NamedTemporaryFile("w", suffix=".tsv") as rules:
            rules.write(_NO_NORMALIZATION)
            rules.flush()
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=_without_words_of(rare, sentences),
                model_writer=model,
                model_type=self.algorithm,
                vocab_size=size - len(CONTROL_SYMBOLS) + 1,
                hard_vocab_limit=False,
                character_coverage=1.0,
                normalization_rule_tsv=rules.name,
                unk_id=0,
                unk_piece=_UNKNOWN_PIECE,
                bos_id=-1,
                eos_id=-1,
                pad_id=-1,
                max_sentence_length=_LONGEST_LINE,
                minloglevel=2,
            )
        self._load(model.getvalue())
        processor = sentencepiece.SentencePieceProcessor(model_proto=self._model)
        self.use(Vocabulary(processor.id_to_piece(list(range(1, processor.get_piece_size())))))

    @property
    def model(self) -> bytes:
        """The SentencePiece model as its own package reads it (`SentencePieceProcessor(model_proto=…)`)."""
        return self._model

    def split(self, strings: tf.Tensor) -> tf.RaggedTensor:
        if self._sentencepiece is None:
            raise UserError(
                "This SubwordTokenizer has learnt no pieces yet. Call learn(lines), or load a model saved with them."
            )
        return self._sentencepiece.tokenize(self.clean(strings))

    def join(self, tokens: tf.RaggedTensor) -> tf.Tensor:
        text = tf.strings.reduce_join(tokens, axis=-1)
        return tf.strings.strip(tf.strings.regex_replace(text, _BLANK, " "))

    def save_assets(self, directory: str) -> None:
        super().save_assets(directory)
        if self._model:
            (Path(directory) / _MODEL_FILE).write_bytes(self._model)

    def load_assets(self, directory: str) -> None:
        super().load_assets(directory)
        path = Path(directory) / _MODEL_FILE
        if path.exists():
            self._load(path.read_bytes())

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "algorithm": self.algorithm}

    def clean(self, strings: tf.Tensor) -> tf.Tensor:
        strings = tf.strings.regex_replace(super().clean(strings), f"[ {_BLANK}]+", " ")
        if self.lowercase:
            strings = tf.strings.lower(strings, encoding="utf-8")
        return tf.strings.strip(strings)

    def _cleaned(self, lines: Iterable[str]) -> Iterator[str]:
        for batch in batches(lines):
            yield from (line.decode() for line in self.clean(tf.constant(batch)).numpy())

    def _load(self, model: bytes) -> None:
        self._model = model
        self._sentencepiece = tensorflow_text().SentencepieceTokenizer(model, out_type=tf.string)


def _sample(lines: Iterable[str]) -> list[str]:
    """At most `_MOST_LINES` of the lines, each with the same chance (reservoir sampling), the same in every run."""
    chance = random.Random(1)
    sample: list[str] = []
    for number, line in enumerate(lines):
        if number < _MOST_LINES:
            sample.append(line)
        elif (place := chance.randint(0, number)) < _MOST_LINES:
            sample[place] = line
    return sample


def _without_words_of(characters: set[str], sentences: list[str]) -> Iterator[str]:
    """The sentences without the words that hold one of the characters."""
    if not characters:
        return iter(sentences)
    return (" ".join(word for word in line.split(" ") if characters.isdisjoint(word)) for line in sentences)
