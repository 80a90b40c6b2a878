"""What a finished run shows of itself: scores, sample translations, a picture, and what to type next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tfnmt.evaluation.pictures import attention_matrix, to_png
from tfnmt.zoo import measures, translators
from tfnmt.zoo.model_use import ModelUse
from tfnmt.zoo.pairs import TestSet, test_sets
from tfnmt.zoo.recipe import Recipe
from tfnmt.zoo.run_directory import RunDirectory

SAMPLES = 5
PICTURED_WORDS = 20
"""An attention picture is of a sentence of up to this many words."""


def show(recipe: Recipe, directory: RunDirectory, tell: Callable[[Any], None]) -> None:
    """Measure the best translator of a run on its test sets, and show it.

    Args:
        recipe: the recipe of the run.
        directory: the run, which has a translator.
        tell: prints a line.
    """
    several = recipe.tasks is not None
    load = cache(lambda language: translators.load(str(directory.path), ModelUse(to=language if several else None)))
    sets = [(into, test) for into in recipe.languages for test in test_sets(recipe.task(into))]
    for language, test in sets:
        translator = load(language)
        translations = translator.translate(test.sources)
        report = measures.measure(translations, test.references, language)
        into = f" into {language}" if several else ""
        tell(f"\n{test.name}{into}, {len(test.sources):,} sentences, beam {translator.beam_size}:")
        for line in measures.lines(report):
            tell(f"  {line}")
        tell("")
        for number in _spread(test.sources):
            tell(f"  {recipe.source.language}  {test.sources[number]}")
            tell(f"  {language}  {translations[number]}\n")
        picture = directory.path / (f"attention-{language}.png" if several else "attention.png")
        tell(f"Attention, source words across, target words down: {_picture(translator, picture, test)}")
    _tell_what_next(directory, f" --to {recipe.languages[0]}" if several else "", tell)


def _spread(sources: Sequence[str]) -> list[int]:
    """Sentences from short to long, none of them the longest."""
    by_length = sorted(range(len(sources)), key=lambda number: (len(sources[number].split()), number))
    return [by_length[(2 * step + 1) * len(by_length) // (2 * SAMPLES)] for step in range(min(SAMPLES, len(by_length)))]


def _picture(translator: Any, path: Path, test: TestSet) -> str:
    short = [source for source in test.sources if len(source.split()) <= PICTURED_WORDS]
    sentence = max(short or test.sources[:1], key=lambda source: len(source.split()))
    (alignment,) = translator.align([sentence])
    figure = attention_matrix(alignment.source_tokens, alignment.target_tokens, alignment.weights)
    measures.write_picture(path, to_png(figure))
    return str(path)


def _tell_what_next(directory: RunDirectory, into: str, tell: Callable[[Any], None]) -> None:
    path = directory.path
    load = f"import keras, tfnmt; translator = keras.models.load_model('{directory.translator}')"
    tell("\nNext:")
    tell(f"  tfnmt translate {path}{into}                          # type sentences, or name files")
    tell(f"  tfnmt align {path}{into} --source FILE --pictures attention")
    tell(f"  tfnmt export {path} serving/{path.name}         # a SavedModel for TensorFlow Serving")
    tell(f"  tensorboard --logdir {directory.tensorboard}")
    named = f", {into.split()[-1]!r}" if into else ""
    tell(f"  python -i -c \"{load}\"            # translator.translate(['...']{named})")
