"""A declaration says what its constructor says."""

from __future__ import annotations

import inspect

import pytest

from tfnmt.zoo import builder
from tfnmt.zoo.recipe import Recipe
from tfnmt.zoo.table import Part

# What the papers fix: the constructor's default is the paper's.
OF_THE_PAPER = {"recurrent_initializer", "vector_initializer"}


# One class, two declarations: each states its own argument.
OF_ANOTHER_KIND = {"batch_size", "batch_tokens"}


def declarations(role: type[Part] = Part) -> list[type[Part]]:
    assert Recipe.model_fields
    return sorted(set(role._declared()), key=lambda part: (part.builds, part.__name__))


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
        assert set(arguments) <= {*fields, *part.given, *OF_THE_PAPER, *OF_ANOTHER_KIND}


def test_no_two_parts_of_a_role_share_a_kind() -> None:
    roles = {
        base for part in declarations() for base in part.__mro__[1:] if issubclass(base, Part) and base is not Part
    }
    for role in roles:
        assert len(role.kinds()) == len(declarations(role))
