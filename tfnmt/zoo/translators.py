"""Finds and loads a trained translator, or several as one, and says what to do where there is none."""

from __future__ import annotations

import importlib
import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from tfnmt.errors import UserError, nearest
from tfnmt.zoo import archive, shelf
from tfnmt.zoo.model_use import AS_TOLD, COMBINATIONS, ModelUse
from tfnmt.zoo.run_directory import RunDirectory

if TYPE_CHECKING:
    from tfnmt.decoding.beam_search import BeamSearch
    from tfnmt.decoding.multi_task_translator import MultiTaskTranslator
    from tfnmt.decoding.translator import Translator
    from tfnmt.zoo.recipe import Recipe


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


def load(models: str, use: ModelUse = AS_TOLD) -> Translator:
    """The translator of a MODEL of the command line into one language. TensorFlow must have been loaded.

    Args:
        models: a run directory or a `.keras` file, or several with commas between them, an ensemble.
        use: what of it is used, and how.

    Raises:
        UserError: there is none, a file cannot be read, the models have not the same vocabularies, the language is not
            known or not named, or there is no value network.
    """
    paths = find_all(models)
    if len(paths) == 1:
        translator = _into(load_file(paths[0]), use.to)
    else:
        from tfnmt.decoding.ensemble import ensemble

        way = getattr(importlib.import_module("tfnmt.models.combination"), COMBINATIONS[use.combination or "logits"])
        translator = ensemble([_into(load_file(path), use.to) for path in paths], way())
    if use.alpha is not None:
        translator = translator.with_search(_weighted(translator.search, use.alpha))
    return translator if use.lexicon is None else use.lexicon.applied_to(translator)


def load_all(models: str, use: ModelUse) -> Translator | MultiTaskTranslator:
    """The same, but into all languages of a model that has several where none is named.

    Raises:
        UserError: what `load` raises; a lexicon is of one language.
    """
    paths = find_all(models)
    if use.to is None and len(paths) == 1 and recipe_in(paths[0]).tasks is not None:
        if use.lexicon is not None or use.alpha is not None:
            raise UserError("A lexicon, or a share of the probability, is for one target language: name it by --to.")
        return load_file(paths[0])
    return load(models, use)


def not_of_one_network(recipe: Recipe) -> UserError:
    """What a recipe that trains on a network says of a start that has none of its kind, or several."""
    return UserError(
        f"'{recipe.start}' is no translator of one network into one language, which {recipe.name} could train on. Name "
        "another by --start."
    )


def _weighted(search: BeamSearch, alpha: float) -> BeamSearch:
    """The search with another share of the probability.

    Raises:
        UserError: it asks no value network.
    """
    config = search.get_config()
    if "alpha" not in config:
        raise UserError("--alpha is for a model with a value network, such as rnnsearch_value; this one has none.")
    return type(search).from_config({**config, "alpha": alpha})


def _into(translator: Translator | MultiTaskTranslator, to: str | None) -> Translator:
    """The translator into one language.

    Raises:
        UserError: of several languages none is named, or one that the model does not know.
    """
    from tfnmt.decoding.translator import Translator

    if not isinstance(translator, Translator):
        return translator.task(to)
    if to is not None:
        shelf.loads(translator.recipe).task(to)
    return translator


def recipe_in(path: Path) -> Recipe:
    """The recipe that a `.keras` file carries, read without TensorFlow.

    Raises:
        UserError: the file cannot be read, or carries none.
    """
    try:
        with zipfile.ZipFile(path) as file:
            return shelf.loads(json.loads(file.read("config.json"))["config"]["recipe"])
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise UserError(f"'{path}' carries no recipe that can be read: {error}") from error


def load_file(path: Path) -> Translator | MultiTaskTranslator:
    """The translator of a `.keras` file, into one language or several. TensorFlow must have been loaded.

    Raises:
        UserError: the file cannot be read, or holds something else.
    """
    import keras

    from tfnmt.decoding.multi_task_translator import MultiTaskTranslator
    from tfnmt.decoding.translator import Translator

    archive.check(path)
    try:
        translator = keras.saving.load_model(path, compile=False)
        one = translator.task(translator.languages[0]) if isinstance(translator, MultiTaskTranslator) else translator
        if not isinstance(one, Translator):
            raise UserError(f"'{path}' holds a {type(one).__name__}, not a translator of tfnmt.")
        one.score_graph.get_concrete_function()  # parts that do not fit one another are found here, not in use
    except UserError:
        raise
    except Exception as error:  # a file from anywhere can be wrong in any way
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise UserError(f"'{path}' cannot be loaded as a translator: {reason}") from error
    return translator
