"""A bilingual dictionary of single words, inside the graph."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import keras
import tensorflow as tf

from tfnmt.errors import UserError
from tfnmt.text.text_lines import numbered_lines

_FILE = "lexicon.tsv"
_LINE = re.compile(r"([^\t]+)\t([^\t]+)(?:\t([-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?))?")


class _Translation(NamedTuple):
    source: str
    target: str
    score: float | None
    number: int  # of its line


def _translation(line: str, number: int, where: str) -> _Translation:
    match = _LINE.fullmatch(line)
    if match is not None:
        source, target, score = match.groups()
        return _Translation(source, target, None if score is None else float(score), number)
    raise UserError(
        f"{where}: '{line}' is no lexicon entry. Expected: source word, tab, target word, optionally tab and score."
    )


@keras.saving.register_keras_serializable(package="tfnmt")
class Lexicon(keras.layers.Layer):
    """Source word -> target word, for what the network leaves unknown.

    A Keras layer, so that a model that holds one saves it as an asset.

    Args:
        entries: the best translation of each source word; None if they are loaded later.

    Raises:
        UserError: a word is empty, or holds a tab or a line feed.
    """

    entries: Mapping[str, str]

    def __init__(self, entries: Mapping[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.built = True
        self._fill(dict(entries or {}))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Lexicon:
        """Read a file of lines `source word <tab> target word [<tab> score]`; of several translations the best stays.

        Raises:
            UserError: naming file and line, if a line has another form, or a source word occurs twice without scores.
        """
        best: dict[str, _Translation] = {}
        for number, line in numbered_lines(path):
            translation = _translation(line, number, f"{path}, line {number}")
            other = best.setdefault(translation.source, translation)
            if other is not translation and None in (translation.score, other.score):
                raise UserError(
                    f"{path}, line {number}: '{translation.source}' is already on line {other.number}. "
                    "Remove one of the two, or give both a score in a third column."
                )
            if (translation.score or 0.0) > (other.score or 0.0):
                best[translation.source] = translation
        return cls({source: translation.target for source, translation in best.items()})

    def lookup(self, tokens: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """Translations of words.

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
        lines = (f"{source}\t{target}\n" for source, target in self.entries.items())
        (Path(directory) / _FILE).write_bytes("".join(lines).encode())

    def load_assets(self, directory: str) -> None:
        """Called by Keras when a model is loaded."""
        lines = (line for _, line in numbered_lines(Path(directory) / _FILE))
        self._fill(dict(line.split("\t") for line in lines))

    def get_config(self) -> dict[str, Any]:
        """Options only: the entries travel as an asset."""
        return super().get_config()

    def _fill(self, entries: dict[str, str]) -> None:
        for words in entries.items():
            if not all(words) or any(separator in word for word in words for separator in "\t\n\r"):
                raise UserError(f"The lexicon entry {words} is empty on one side or holds a tab or a line end.")
        # Past the attribute tracking of Keras, which would wrap the dictionary and look into it at each save.
        object.__setattr__(self, "entries", entries)
        # TensorFlow refuses an empty table, hence the pair that says "no translation" for no word.
        self._table = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(tf.constant(["", *entries]), tf.constant(["", *entries.values()])),
            default_value="",
        )
