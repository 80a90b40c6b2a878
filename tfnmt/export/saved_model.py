"""Writes a translator as a SavedModel that takes raw sentences: for TensorFlow Serving and every other runtime."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import keras
import tensorflow as tf

from tfnmt.decoding.multi_task_translator import MultiTaskTranslator
from tfnmt.decoding.translator import Translator
from tfnmt.errors import UserError
from tfnmt.export.multi_task_signatures import multi_task_signatures
from tfnmt.export.notes import notes
from tfnmt.export.operations import beyond_core, operations
from tfnmt.export.signatures import TO, Signature, TranslatorGraphs, signatures
from tfnmt.export.stored_weights import FORMS, StoredWeights
from tfnmt.export.version_directory import new_version, version_of
from tfnmt.export.warm_up import predict_request, write_requests

EXTRA = "assets.extra"
FLOAT32 = "float32"


def export_saved_model(
    translator: Translator | MultiTaskTranslator,
    directory: str | os.PathLike[str],
    version: int | str | None = None,
    beam_size: int | None = None,
    n_best: int | None = None,
    weights: str = FLOAT32,
) -> Path:
    """Write `<directory>/<version>`, a SavedModel with the signatures of `tfnmt.export.signatures`.

    Those of a translator into many languages take the language of each row (`tfnmt.export.multi_task_signatures`).

    Beside the model, its `assets.extra` holds notes for people (`README.md`), the effective recipe (`recipe.toml`) and
    warm-up requests (`tf_serving_warmup_requests`). The version appears under its name only when it is complete. No
    optimizer and no other state of a training is in it.

    Args:
        translator: a translator with weights.
        directory: where the versions of this model are, made if missing. Its name is the name of the model on a server.
        version: whole number above all versions there; None for the next one.
        beam_size: places in the beam of every search of this export; None for the translator's own.
        n_best: how many translations the signature `n_best` returns; None for as many as the beam has places.
        weights: how they are kept: "float32", or smaller as "bfloat16" or "int8" (`tfnmt.export.stored_weights`).

    Returns:
        The directory of the new version.

    Raises:
        UserError: the version, the directory, one of the sizes or the form of the weights cannot be used.
    """
    beam_size = translator.beam_size if beam_size is None else beam_size
    n_best = beam_size if n_best is None else n_best
    if not 1 <= n_best <= beam_size:
        raise UserError(
            f"An export cannot return {n_best} translations from a beam of {beam_size} places. "
            "Choose a beam size of at least 1, and from 1 to that many translations."
        )
    base = Path(directory).absolute()
    kept = _kept(translator, weights)
    if isinstance(translator, MultiTaskTranslator):
        graphs = {language: kept(translator.task(language)) for language in translator.languages}
        ways = multi_task_signatures(graphs, beam_size, n_best)
    else:
        ways = signatures(kept(translator), beam_size, n_best)
    with new_version(base, version) as aside:
        _write(translator, ways, aside)
        extra = aside / EXTRA
        extra.mkdir()
        needed = beyond_core(operations(aside))
        (extra / "README.md").write_text(notes(base.name, ways, needed, beam_size, n_best, weights), encoding="utf-8")
        (extra / "recipe.toml").write_text(translator.recipe, encoding="utf-8")
        write_requests(extra, _warm_up_requests(translator, ways, base.name))
        return base / str(version_of(aside))


def _kept(translator: Translator | MultiTaskTranslator, weights: str) -> Callable[[Translator], TranslatorGraphs]:
    """What the signatures call: the translator itself, or its graph functions on weights that are kept smaller."""
    if weights == FLOAT32:
        return lambda task: task
    if weights not in FORMS:
        raise UserError(f"An export keeps its weights as {', '.join((FLOAT32, *FORMS))}, not as '{weights}'.")
    return StoredWeights(translator.weights, weights).translator


def _write(translator: Translator | MultiTaskTranslator, ways: dict[str, Signature], directory: Path) -> None:
    archive = keras.export.ExportArchive()
    # The archive finds the weights that the signatures use by itself, and no others: a compiled model's optimizer stays
    # out. What has tables of its own must be named. Tracking the whole translator would write every weight twice.
    for part in translator.tables():
        archive.track(part)
    for name, way in ways.items():
        archive.add_endpoint(name, way.function, way.specification)
    # Nobody trains an export: the gradients that layers write out themselves stay out of it, too.
    options = tf.saved_model.SaveOptions(experimental_custom_gradients=False)
    archive.write_out(str(directory), options=options, verbose=False)


def _warm_up_requests(
    translator: Translator | MultiTaskTranslator, ways: dict[str, Signature], model: str
) -> list[Any]:
    """One sentence, a long one and a few of mixed lengths for every signature: each runs the loops of the search."""
    short, middle, long = (_sentence(translator, words) for words in (4, 12, 50))
    return [
        predict_request(
            model, name, {name_of_input: _texts(name_of_input, sentences, way) for name_of_input in way.inputs}
        )
        for name, way in ways.items()
        for sentences in ([short], [long], [short, middle, long])
    ]


def _texts(name_of_input: str, sentences: list[str], way: Signature) -> list[str]:
    """What the rows of one input say: the sentences, or the languages in turn."""
    if name_of_input != TO:
        return sentences
    return [way.languages[number % len(way.languages)] for number in range(len(sentences))]


def _sentence(translator: Translator | MultiTaskTranslator, words: int) -> str:
    """Text of about that many of the most frequent tokens of the source language; its sense does not matter."""
    entries = translator.source_tokenizer.vocabulary.entries[:words]
    repeated = [entries[position % len(entries)] for position in range(words)]
    return translator.source_tokenizer.join(tf.ragged.constant([repeated])).numpy()[0].decode()
