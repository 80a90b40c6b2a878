"""What all tokenizers share: clean strings in, ids out, and the way back."""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import keras
import tensorflow as tf

from tfnmt.errors import UserError, nearest
from tfnmt.text.optional_kernels import tensorflow_text
from tfnmt.text.vocabulary import END, PAD, START, Vocabulary

# White space as Python's str.isspace knows it; RE2's \s and TensorFlow's strip know ASCII only. The C0 separators
# \x1c-\x1f count as white space there, too.
_WHITE_SPACE = r"[\t-\r\x1c-\x20\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]+"
_CONTROL_CHARACTERS = r"[\x00-\x08\x0e-\x1b\x{7f}-\x{9f}]+"
_NORMALIZATIONS = ("NFC", "NFKC")
_VOCABULARY_FILE = "vocabulary.txt"
_LINES_AT_ONCE = 4096


class Tokenizer(keras.layers.Layer):
    """Strings <-> ids inside the graph, both directions, after tensorflow-text's Tokenizer and Detokenizer interfaces.

    A Keras layer that carries its vocabulary as an asset: a `.keras` file and a SavedModel hold all that is needed. The
    constructor takes options only; the vocabulary is learnt (`learn`), handed in (`use`) or loaded with the model.

    No text can produce a control symbol: one that is spelled in a sentence is text like any other. White space of any
    kind only separates; a row of nothing else has no tokens.

    Args:
        lowercase: fold to lower case.
        normalization: Unicode normalization form, "NFC" or "NFKC" (tensorflow-text does it); None to leave the text as
            it is.

    Raises:
        UserError: on an unknown normalization form, and on any use that needs a vocabulary before there is one.
    """

    def __init__(self, *, lowercase: bool = False, normalization: str | None = "NFC", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if normalization is not None and normalization not in _NORMALIZATIONS:
            raise UserError(f"Unknown normalization '{normalization}'. {nearest(normalization, _NORMALIZATIONS)}")
        self.lowercase = lowercase
        self.normalization = normalization
        self._vocabulary: Vocabulary | None = None
        self.built = True

    @abstractmethod
    def split(self, strings: tf.Tensor) -> tf.RaggedTensor:
        """Surface tokens of strings.

        Args:
            strings: [batch] UTF-8 text; bytes that are not UTF-8 become U+FFFD.

        Returns:
            [batch, (tokens)] strings, normalised; an empty row for a blank string.
        """

    @abstractmethod
    def join(self, tokens: tf.RaggedTensor) -> tf.Tensor:
        """Plain text of surface tokens.

        Args:
            tokens: [batch, (tokens)] strings.

        Returns:
            [batch] strings.
        """

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary in use."""
        if self._vocabulary is None:
            raise UserError(
                f"This {type(self).__name__} has no vocabulary yet. "
                "Call learn(lines) or use(vocabulary), or load a model that was saved with one."
            )
        return self._vocabulary

    def use(self, vocabulary: Vocabulary) -> None:
        """Take a vocabulary that was made elsewhere, in place of the present one."""
        self._vocabulary = vocabulary

    @property
    def vocabulary_size(self) -> int:
        """Number of ids, the four control symbols included."""
        return self.vocabulary.size

    def learn(self, lines: Iterable[str], size: int | None = None, minimum_count: int = 1) -> None:
        """Build the vocabulary from text.

        Args:
            lines: sentences; read once, never held in memory together.
            size: the largest vocabulary size, the four control symbols included; None for no limit.
            minimum_count: tokens seen less often become unknown.

        Raises:
            UserError: the lines hold no token at all.
        """
        counts: Counter[bytes] = Counter()
        for batch in batches(lines):
            counts.update(self.split(tf.constant(batch)).flat_values.numpy().tolist())
        if not counts:
            raise UserError("No vocabulary can be learnt: the text holds no word. Is the file empty or blank?")
        decoded = {token.decode(): count for token, count in counts.items()}
        self.use(Vocabulary.from_counts(decoded, size, minimum_count))

    def tokenize(self, strings: tf.Tensor) -> tf.RaggedTensor:
        """Ids of strings.

        Args:
            strings: [batch] UTF-8 text.

        Returns:
            [batch, (tokens)] int32; unknown (3) is the only control symbol that occurs.
        """
        return self.vocabulary.ids(self.split(strings))

    def tokens(self, ids: tf.Tensor | tf.RaggedTensor) -> tf.RaggedTensor:
        """Surface tokens of ids.

        Args:
            ids: [batch, tokens] or [batch, (tokens)] integers. A row ends before its first end symbol; pad and start
                symbols are dropped.

        Returns:
            [batch, (tokens)] strings, "<unk>" for unknown.
        """
        if isinstance(ids, tf.RaggedTensor):
            ids = ids.to_tensor(PAD)
        ended = tf.cumsum(tf.cast(ids == END, tf.int32), axis=1) > 0
        shown = ~ended & (ids != PAD) & (ids != START)
        return self.vocabulary.tokens(tf.ragged.boolean_mask(ids, shown))

    def detokenize(self, ids: tf.Tensor | tf.RaggedTensor) -> tf.Tensor:
        """Plain text of ids.

        Args:
            ids: [batch, tokens] or [batch, (tokens)] integers, read as `tokens` reads them.

        Returns:
            [batch] strings.
        """
        return self.join(self.tokens(ids))

    def call(self, strings: tf.Tensor) -> tf.RaggedTensor:
        """The same as `tokenize`."""
        return self.tokenize(strings)

    def clean(self, strings: tf.Tensor) -> tf.Tensor:
        """Normalised text: valid UTF-8, one blank for each run of white space, none at the ends.

        A control character is white space, as it is where corpora are read.

        Args:
            strings: [batch] text.

        Returns:
            [batch] strings.
        """
        strings = tf.strings.unicode_transcode(strings, "UTF-8", "UTF-8", errors="replace")
        if self.normalization is not None:
            strings = tensorflow_text().normalize_utf8(strings, self.normalization)
        strings = tf.strings.regex_replace(strings, _CONTROL_CHARACTERS, " ")
        strings = tf.strings.regex_replace(strings, _WHITE_SPACE, " ")
        return tf.strings.strip(strings)

    def save_assets(self, directory: str) -> None:
        """Called by Keras when a model is saved."""
        if self._vocabulary is not None:
            self._vocabulary.save(Path(directory) / _VOCABULARY_FILE)

    def load_assets(self, directory: str) -> None:
        """Called by Keras when a model is loaded."""
        path = Path(directory) / _VOCABULARY_FILE
        if path.exists():
            self.use(Vocabulary.load(path))

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "lowercase": self.lowercase, "normalization": self.normalization}


def batches(lines: Iterable[str]) -> Iterator[list[str]]:
    """Lines in lists of some thousands, as many as are worth one run of the graph's operations."""
    iterator = iter(lines)
    while batch := list(itertools.islice(iterator, _LINES_AT_ONCE)):
        yield batch
