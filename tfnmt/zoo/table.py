"""What every table of a recipe has in common: it is frozen, complete, and names the key that was meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, ModelWrapValidatorHandler, model_validator
from pydantic_core import PydanticCustomError

from tfnmt.errors import nearest

Share = Annotated[float, Field(ge=0, lt=1)]
"""A number from 0, which may be reached, to 1, which may not."""


class Table(BaseModel):
    """A table of a recipe. An unknown key is an error that names the nearest valid one."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True)

    @model_validator(mode="before")
    @classmethod
    def _only_known_keys(cls, data: Any) -> Any:
        if isinstance(data, Mapping):
            for key in data:
                if key not in cls.model_fields:
                    raise PydanticCustomError(
                        "unknown_key",
                        "no key '{key}' here. {hint}",
                        {"key": str(key), "hint": nearest(str(key), cls.model_fields)},
                    )
        return data


class Part(Table):
    """A table with a `kind`: the declaration of something that is built from constructor arguments.

    A subclass that names what it `builds` declares one part; its other fields are that constructor's arguments. A
    subclass without is a role (encoder, score, optimizer, ...): where a field has a role's type, the `kind` in the
    table chooses among the parts declared for it.

    Attributes:
        builds: `module:class` of what this declares; empty for a role.
        given: constructor arguments that no recipe states because the run knows them: the argument's name -> the name
            builder knows it by (for example `vocabulary_size` -> `source_vocabulary_size`).
    """

    builds: ClassVar[str] = ""
    given: ClassVar[Mapping[str, str]] = {}

    kind: str

    @classmethod
    def kinds(cls) -> dict[str, type[Part]]:
        """The parts declared for this role, by kind."""
        return {part.model_fields["kind"].default: part for part in cls._declared()}

    @classmethod
    def _declared(cls) -> Iterator[type[Part]]:
        for subclass in cls.__subclasses__():
            if subclass.builds:
                yield subclass
            yield from subclass._declared()

    @model_validator(mode="wrap")
    @classmethod
    def _choose_by_kind(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Any:
        if cls.builds or not isinstance(data, Mapping):
            return handler(data)
        kinds = cls.kinds()
        kind = str(data.get("kind", ""))
        if not kind:
            raise PydanticCustomError(
                "no_kind", "needs a 'kind', one of: {kinds}.", {"kinds": ", ".join(sorted(kinds))}
            )
        if kind not in kinds:
            raise PydanticCustomError(
                "unknown_kind", "no kind '{kind}' here. {hint}", {"kind": kind, "hint": nearest(kind, kinds)}
            )
        return kinds[kind].model_validate(data)
