"""Finds and loads a trained translator, or several as one, and says what to do where there is none."""

from __future__ import annotations

import importlib
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tfnmt.errors import UserError, nearest
from tfnmt.zoo import shelf
from tfnmt.zoo.run_directory import RunDirectory

if TYPE_CHECKING:
    from tfnmt.decoding.translator import Translator


with_lexicon = click.option(
    "--lexicon",
    metavar="FILE",
    help="Translations of single words, `source <tab> target [<tab> score]` a line, for unknown words that stand for "
    "them.  [default: the model's own, else they are copied]",
)
"""The option of every command that writes translations."""

COMBINATIONS = {
    "logits": "MeanOfLogits",
    "log-probabilities": "MeanOfLogProbabilities",
    "probabilities": "MeanOfProbabilities",
}
"""Names on the command line of the classes in `tfnmt.models.combination`."""

with_combination = click.option(
    "--combine",
    "combination",
    type=click.Choice(list(COMBINATIONS)),
    help="How the models of an ensemble (MODEL,MODEL,...) vote on each word: by the mean of their logits, of their "
    "log-probabilities or of their probabilities.  [default: logits]",
)
"""The option of every command that takes a MODEL."""


def find(model: str) -> Path:
    """The `.keras` file of a run directory or of its own name.

    Raises:
        UserError: there is none; a recipe and a SavedModel are told apart.
    """
    path = Path(model)
    if RunDirectory(path).translator.is_file():
        return RunDirectory(path).translator
    if path.is_file() and zipfile.is_zipfile(path):
        return path
    if path.is_file():
        raise UserError(f"'{model}' is not a `.keras` file. Give a run directory or its translator.keras.")
    if RunDirectory(path).exists:
        raise UserError(f"The run in '{model}' has no translator yet: the first comes with its first validation.")
    if (path / "saved_model.pb").is_file() or any(path.glob("*/saved_model.pb")):
        raise UserError(
            f"'{model}' is a SavedModel, for TensorFlow Serving. This command and keras.models.load_model want the "
            "translator.keras of the run; in Python, tfnmt.export.load(directory) loads a SavedModel."
        )
    if model in shelf.names():
        raise UserError(f"'{model}' is a recipe, not a trained model. Train it first: tfnmt train {model}")
    known = [str(file.parent) for file in Path("runs").glob("*/translator.keras")]
    raise UserError(
        f"There is no trained model '{model}'. {nearest(model, known)} Expected a run directory or a .keras file."
    )


def find_all(models: str) -> list[Path]:
    """The `.keras` files of a MODEL of the command line: one, or several with commas between them, an ensemble.

    Raises:
        UserError: one of them is not there.
    """
    return [find(model) for model in ([models] if Path(models).exists() else models.split(","))]


def load(models: str, lexicon: str | None = None, combination: str | None = None) -> Translator:
    """The translator of a MODEL of the command line. TensorFlow must have been loaded.

    Args:
        models: a run directory or a `.keras` file, or several with commas between them, an ensemble.
        lexicon: a lexicon file to take in place of the model's own.
        combination: how the models of an ensemble vote, one of `COMBINATIONS`; None for the mean of logits.

    Raises:
        UserError: there is none, a file cannot be read, or the models have not the same vocabularies.
    """
    paths = find_all(models)
    if len(paths) == 1:
        translator = _load(paths[0])
    else:
        from tfnmt.decoding.ensemble import ensemble

        way = getattr(importlib.import_module("tfnmt.models.combination"), COMBINATIONS[combination or "logits"])
        translator = ensemble([_load(path) for path in paths], way())
    if lexicon is None:
        return translator
    from tfnmt.text.lexicon import Lexicon

    return translator.with_lexicon(Lexicon.load(lexicon))


def _load(path: Path) -> Translator:
    import keras

    try:
        translator: Translator = keras.saving.load_model(path, compile=False)
    except (ValueError, OSError, KeyError, TypeError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise UserError(f"'{path}' cannot be loaded as a translator: {reason}") from error
    if type(translator).__name__ != "Translator":
        raise UserError(f"'{path}' holds a {type(translator).__name__}, not a translator of tfnmt.")
    return translator
