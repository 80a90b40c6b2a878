"""A declaration says what its constructor says; one function builds every part of every model."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from tfnmt.zoo import builder, shelf
from tfnmt.zoo.recipe import Recipe
from tfnmt.zoo.table import Part

# What a run decides and no recipe states.
OF_THE_RUN = {"corpus", "seed", "order", "source_tokenizer", "target_tokenizer", "network"}
# What the papers fix: the constructor's default is the paper's.
OF_THE_PAPER = {"recurrent_initializer", "vector_initializer"}


# One class, two declarations: each states its own argument.
OF_ANOTHER_KIND = {"batch_size", "batch_tokens"}


def declarations(role: type[Part] = Part) -> list[type[Part]]:
    assert Recipe.model_fields
    return sorted(set(role._declared()), key=lambda part: part.builds)


def parameters(constructor: type) -> dict[str, inspect.Parameter]:
    """The named parameters of a constructor; and those of its bases in tfnmt that it passes others on to."""
    found: dict[str, inspect.Parameter] = {}
    for ancestor in constructor.__mro__:
        if "__init__" in vars(ancestor) and (ancestor is constructor or ancestor.__module__.startswith("tfnmt.")):
            signature = inspect.signature(vars(ancestor)["__init__"])
            for name, parameter in list(signature.parameters.items())[1:]:
                if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                    found.setdefault(name, parameter)
    return found


@pytest.mark.parametrize("part", declarations(), ids=lambda part: part.__name__)
def test_a_declaration_and_its_constructor_agree(part: type[Part]) -> None:
    arguments = parameters(builder.constructor(part))
    fields = {name: field for name, field in part.model_fields.items() if name != "kind"}
    assert set(fields) <= set(arguments)
    assert set(part.given) <= set(arguments)
    for name, field in fields.items():
        if not field.is_required() and arguments[name].default is not inspect.Parameter.empty:
            assert field.default == arguments[name].default, name
    if part.builds.startswith("tfnmt."):
        assert set(arguments) <= {*fields, *part.given, *OF_THE_RUN, *OF_THE_PAPER, *OF_ANOTHER_KIND}


def test_no_two_parts_of_a_role_share_a_kind() -> None:
    roles = {
        base for part in declarations() for base in part.__mro__[1:] if issubclass(base, Part) and base is not Part
    }
    for role in roles:
        assert len(role.kinds()) == len(declarations(role))


@pytest.mark.parametrize("model", shelf.names())
def test_every_model_of_the_zoo_is_built_and_predicts(model: str) -> None:
    narrow = ["model.encoder.units=6", "model.decoder.units=6", "model.encoder.embedding_size=5"]
    network = builder.network(shelf.load(model, "small", narrow), source_vocabulary_size=11, target_vocabulary_size=13)
    source_ids = np.array([[4, 5, 6], [7, 0, 0]], np.int32)
    target_ids = np.array([[4, 9], [12, 0]], np.int32)
    logits = network((source_ids, target_ids))
    assert logits.shape == (2, 3, 13)
    assert np.isfinite(logits).all()


def test_the_paper_s_rnnsearch_has_the_parameters_that_its_shapes_say() -> None:
    """84,349,101 with 30,001 rows a table (docs of the systems, identity K19)."""
    recipe = shelf.load("rnnsearch50")
    network = builder.network(recipe, source_vocabulary_size=30_001, target_vocabulary_size=30_001)
    network.build()
    assert network.count_params() == 84_349_101


def test_a_tokenizer_gets_the_language_of_its_side() -> None:
    recipe = shelf.load("rnnsearch50", overrides=["source.language=cs", "source.tokenizer.lowercase=true"])
    tokenizer = builder.tokenizer(recipe.source)
    assert (tokenizer.language, tokenizer.lowercase) == ("cs", True)
