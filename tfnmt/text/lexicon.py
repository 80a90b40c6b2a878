"""A bilingual dictionary of single words, inside the graph."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import keras
import tensorflow as tf

from tfnmt.errors import UserError
from tfnmt.text.text_lines import numbered_lines

_FILE = "lexicon.tsv"
_LINE = re.compile(r"([^\t]+)\t([^\t]+)(?:\t([-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?))?")


class WordTranslation(NamedTuple):
    """One translation of a source word.

    Attributes:
        word: the target word.
        score: tells which of several translations is better; a lexicon of this library has probabilities.
    """

    word: str
    score: float = 1.0


Entries = Mapping[str, str | Sequence[WordTranslation]]


@keras.saving.register_keras_serializable(package="tfnmt")
class Lexicon(keras.layers.Layer):
    """Source word -> target words: for what the network leaves unknown the best, for candidate lists the first few.

    A Keras layer, so that a model that holds one saves it as an asset.

    Args:
        entries: the translations of each source word, or its only one; None if they are loaded later.

    Raises:
        UserError: a word is empty, or holds a tab or a line feed; it has no translation, or a score that is not finite.
    """

    entries: Mapping[str, tuple[WordTranslation, ...]]
    """Of each source word, best first."""

    def __init__(self, entries: Entries | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.built = True
        self._fill({source: _ranked(translations) for source, translations in (entries or {}).items()})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Lexicon:
        """Read a file of lines `source word <tab> target word [<tab> score]`, in any order.

        Raises:
            UserError: naming file and line, if a line has another form, or a source word occurs twice without scores.
        """
        return cls(_read(path))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write such a file, best translations first."""
        with Path(path).open("wb") as file:
            for source, translations in self.entries.items():
                for word, score in translations:
                    file.write(f"{source}\t{word}\t{score!r}\n".encode())

    def lookup(self, tokens: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """The best translations of words.

        Args:
            tokens: strings of any shape.

        Returns:
            translations, strings of the same shape, "" where there is none; and found, bool of the same shape.
        """
        translations = self._table.lookup(tokens)
        return translations, translations != ""

    def call(self, tokens: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """The same as `lookup`."""
        return self.lookup(tokens)

    def save_assets(self, directory: str) -> None:
        """Called by Keras when a model is saved."""
        self.save(Path(directory) / _FILE)

    def load_assets(self, directory: str) -> None:
        """Called by Keras when a model is loaded."""
        entries = _read(Path(directory) / _FILE)
        self._fill({source: _ranked(translations) for source, translations in entries.items()})

    def get_config(self) -> dict[str, Any]:
        """Options only: the entries travel as an asset."""
        return super().get_config()

    def _fill(self, entries: dict[str, tuple[WordTranslation, ...]]) -> None:
        for source, translations in entries.items():
            if not translations or not all(math.isfinite(translation.score) for translation in translations):
                raise UserError(
                    f"The lexicon entry '{source}' needs a translation at least, and finite numbers as scores; it has "
                    f"{list(map(tuple, translations))}."
                )
            for words in ((source, translation.word) for translation in translations):
                if not all(words) or any(separator in word for word in words for separator in "\t\n\r"):
                    raise UserError(f"The lexicon entry {words} is empty on one side or holds a tab or a line end.")
        # Past the attribute tracking of Keras, which would wrap the dictionary and look into it at each save.
        object.__setattr__(self, "entries", entries)
        best = [translations[0].word for translations in entries.values()]
        # TensorFlow refuses an empty table, hence the pair that says "no translation" for no word.
        self._table = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(tf.constant(["", *entries]), tf.constant(["", *best])),
            default_value="",
        )


def _ranked(translations: str | Iterable[WordTranslation]) -> tuple[WordTranslation, ...]:
    """Best first; among equals, those that were named first."""
    if isinstance(translations, str):
        return (WordTranslation(translations),)
    # Scores of NumPy would be written as such, and not be read again.
    found = (WordTranslation(word, float(score)) for word, score in (WordTranslation(*pair) for pair in translations))
    return tuple(sorted(found, key=lambda translation: -translation.score))


def _read(path: str | os.PathLike[str]) -> dict[str, list[WordTranslation]]:
    entries: dict[str, list[WordTranslation]] = {}
    first_line: dict[str, int] = {}
    without_score: set[str] = set()
    for number, line in numbered_lines(path):
        match = _LINE.fullmatch(line)
        if match is None:
            raise UserError(
                f"{path}, line {number}: '{line}' is no lexicon entry. Expected: source word, tab, target word, "
                "optionally tab and score."
            )
        source, target, score = match.groups()
        if source in entries and (score is None or source in without_score):
            raise UserError(
                f"{path}, line {number}: '{source}' is already on line {first_line[source]}. "
                "Remove one of the two, or give both a score in a third column."
            )
        first_line.setdefault(source, number)
        if score is None:
            without_score.add(source)
        entries.setdefault(source, []).append(WordTranslation(target, 1.0 if score is None else float(score)))
    return entries
