"""Loads an export again, in Python."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

from tfnmt.decoding.alignment import Alignment
from tfnmt.decoding.arguments import encoded
from tfnmt.errors import UserError
from tfnmt.export.operations import beyond_core, operations
from tfnmt.export.signatures import ONE_LANGUAGE, TO
from tfnmt.export.version_directory import versions

WHICH_FILE = (
    "A `.keras` file is for Python programs: `import tfnmt`, then `keras.models.load_model(file)`. An export (a "
    "SavedModel directory) is for TensorFlow Serving and every other TensorFlow runtime; Keras does not load it. In "
    "Python, `tfnmt.export.load(directory)` does."
)


Languages = str | Sequence[str] | None
"""The target language of all rows or of each; None where the export has only one."""


class ScoredTranslation(NamedTuple):
    """One translation and its score, as the search ranked it."""

    text: str
    score: float


class ExportedTranslator:
    """The signatures of an export as Python methods.

    Where it translates into many languages, every method wants to know into which: `to`, one language for all rows or
    one for each.

    Args:
        directory: a version directory, or the directory above it, of which the newest version is taken.

    Raises:
        UserError: there is no export; the message says what was found instead.
    """

    def __init__(self, directory: str | os.PathLike[str]):
        self.directory = _version_directory(Path(directory))
        if beyond_core(operations(self.directory)):
            _register_text_operations()
        # The loaded object must live as long as its signatures: they hold no reference to the variables.
        self._loaded: Any = tf.saved_model.load(str(self.directory))
        self.signatures = self._loaded.signatures

    def translate(self, sentences: Sequence[str], to: Languages = None) -> list[str]:
        """The best translation of each sentence."""
        return _texts(self._run("serving_default", to, sentences=sentences)["translation"])

    def n_best(self, sentences: Sequence[str], to: Languages = None) -> list[list[ScoredTranslation]]:
        """The n best translations of each sentence, best first; fewer where the search found fewer."""
        answer = self._run("n_best", to, sentences=sentences)
        texts, scores = answer["translations"].numpy(), answer["scores"].numpy()
        return [
            [
                ScoredTranslation(text.decode(), float(score))
                for text, score in zip(*ranked, strict=True)
                if score > tf.float32.min
            ]
            for ranked in zip(texts, scores, strict=True)
        ]

    def score(self, sources: Sequence[str], targets: Sequence[str], to: Languages = None) -> list[float]:
        """Log-probability of each target, given its source."""
        return self._run("score", to, sources=sources, targets=targets)["score"].numpy().tolist()

    def align(
        self, sources: Sequence[str], targets: Sequence[str] | None = None, to: Languages = None
    ) -> list[Alignment]:
        """Attention between the tokens of each source and its target, which is its own translation if none is given."""
        if targets is None:
            answer = self._run("align", to, sentences=sources)
        else:
            answer = self._run("align_pairs", to, sources=sources, targets=targets)
        rows = zip(*(answer[name].numpy() for name in ("source_tokens", "target_tokens", "weights")), strict=True)
        alignments = []
        for padded_source, padded_target, weights in rows:
            source, target = _words(padded_source), _words(padded_target)
            alignments.append(Alignment(source, target, weights[: len(target), : len(source)]))
        return alignments

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that each request chooses from; none where the export has only one."""
        return tuple(
            sorted(name.removeprefix(ONE_LANGUAGE) for name in self.signatures if name.startswith(ONE_LANGUAGE))
        )

    def _run(self, signature: str, to: Languages, **sides: Sequence[str]) -> dict[str, tf.Tensor]:
        inputs = {name: encoded(name, strings) for name, strings in sides.items()}
        if self.languages:
            inputs[TO] = encoded(TO, self._checked(to, len(next(iter(inputs.values())))))
        elif to is not None:
            raise UserError(f"This export has one target language: it cannot be asked for {to!r}.")
        if len({len(texts) for texts in inputs.values()}) > 1:
            counts = " but ".join(f"{len(texts)} {name}" for name, texts in inputs.items())
            raise UserError(f"There are {counts}. Number n of one belongs to number n of the other.")
        # The type is given since an empty list has none.
        return self.signatures[signature](**{name: tf.constant(texts, tf.string) for name, texts in inputs.items()})

    def _checked(self, to: Languages, rows: int) -> Sequence[str]:
        asked = [to] * rows if isinstance(to, str) else list(to or ())
        if unknown := {language for language in asked if language not in self.languages}:
            raise UserError(f"This export does not translate into {', '.join(sorted(unknown))}; {self._known()}")
        if to is None:
            raise UserError(f"Say by `to` into which language; {self._known()}")
        return asked

    def _known(self) -> str:
        return f"it knows {', '.join(self.languages)}."


def load(directory: str | os.PathLike[str]) -> ExportedTranslator:
    """Load an export, with the operations of tensorflow-text that it needs.

    Args:
        directory: what `export_saved_model` returned, or the directory that holds the versions.
    """
    return ExportedTranslator(directory)


def _texts(strings: tf.Tensor) -> list[str]:
    return [string.decode() for string in strings.numpy()]


def _words(padded: np.ndarray) -> tuple[str, ...]:
    return tuple(token.decode() for token in padded if token)


def _version_directory(directory: Path) -> Path:
    if (directory / "saved_model.pb").is_file():
        return directory
    if directory.is_file():
        raise UserError(f"{directory} is a file, but an export is a directory. {WHICH_FILE}")
    found = versions(directory)
    if not found:
        raise UserError(
            f"{directory} holds no export: neither 'saved_model.pb' nor a directory with a version number as its name. "
            f"{WHICH_FILE}"
        )
    return directory / str(found[-1])


def _register_text_operations() -> None:
    """Importing tensorflow-text registers its operations; without them "Op type not registered" ends the loading."""
    try:
        importlib.import_module("tensorflow_text")
    except ImportError as error:
        raise UserError(
            "This export needs the package tensorflow-text in the version of TensorFlow. It exists for Linux and "
            f"macOS; on other systems use a container. ({error})"
        ) from error
