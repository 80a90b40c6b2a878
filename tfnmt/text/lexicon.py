"""A bilingual dictionary of single words, inside the graph."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import keras
import tensorflow as tf

_FILE = "lexicon.tsv"


@keras.saving.register_keras_serializable(package="tfnmt")
class Lexicon(keras.layers.Layer):
    """Source word -> target word, for what the network leaves unknown.

    A Keras layer, so that a model that holds one saves it as an asset.

    Args:
        entries: the best translation of each source word; None if they are loaded later.
    """

    def __init__(self, entries: Mapping[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.built = True
        self._fill(dict(entries or {}))

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
        lines = (Path(directory) / _FILE).read_bytes().decode().split("\n")[:-1]
        self._fill(dict(line.split("\t") for line in lines))

    def get_config(self) -> dict[str, Any]:
        """Options only: the entries travel as an asset."""
        return super().get_config()

    def _fill(self, entries: dict[str, str]) -> None:
        object.__setattr__(self, "entries", entries)
        # TensorFlow refuses an empty table, hence the pair that says "no translation" for no word.
        self._table = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(tf.constant(["", *entries]), tf.constant(["", *entries.values()])),
            default_value="",
        )
