"""From declarations to objects: one function for every part of every model."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from tfnmt.zoo.recipe import Decoding, Recipe, Side
from tfnmt.zoo.table import Part


def constructor(part: type[Part]) -> Any:
    """The class that a declaration builds. Imports its module, and with it TensorFlow."""
    return imported(part.builds)


def imported(place: str) -> Any:
    """What stands at `module:name`."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


def build(part: Part, known: Mapping[str, Any] | None = None) -> Any:
    """The object that a table of the recipe describes, its parts built before it.

    Args:
        part: the declaration.
        known: what the run knows and no recipe states, for the arguments that declarations list as `given`.
    """
    known = known or {}
    arguments = {name: known[by] for name, by in part.given.items()}
    for name in type(part).model_fields:
        if name != "kind":
            value = getattr(part, name)
            arguments[name] = build(value, known) if isinstance(value, Part) else value
    return constructor(type(part))(**arguments)


def tokenizer(side: Side) -> Any:
    """The tokenizer of one side, which has not learnt its vocabulary yet."""
    return build(side.tokenizer, {"language": side.language})


def network(recipe: Recipe, source_vocabulary_size: int, target_vocabulary_size: int) -> Any:
    """The network of a recipe, with fresh weights.

    Args:
        recipe: the recipe.
        source_vocabulary_size: entries of the source tokenizer's vocabulary, control symbols counted.
        target_vocabulary_size: the same of the target tokenizer's.
    """
    return build(
        recipe.model,
        {"source_vocabulary_size": source_vocabulary_size, "target_vocabulary_size": target_vocabulary_size},
    )


def translator(recipe: Recipe, source_tokenizer: Any, target_tokenizer: Any, network: Any) -> Any:
    """The translator of a recipe around a network, trained or still to be trained."""
    from tfnmt.decoding.translator import Translator
    from tfnmt.zoo import shelf

    return Translator(
        source_tokenizer,
        target_tokenizer,
        network,
        build(recipe.decoding.search),
        replace_unknown=recipe.decoding.replace_unknown,
        beam_size=recipe.decoding.beam_size,
        recipe=shelf.dumps(recipe),
        unknown_rule=build(recipe.decoding.unknown_rule) if recipe.decoding.unknown_rule is not None else None,
    )


def given_a_lexicon(translator: Any, lexicon: Any, decoding: Decoding) -> Any:
    """The translator with a lexicon, and with candidate lists of it where the recipe wants some."""
    changed = translator.with_lexicon(lexicon)
    if decoding.candidates is None:
        return changed
    return changed.with_candidates(decoding.candidates.common, decoding.candidates.translations)
