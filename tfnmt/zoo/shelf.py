"""Where recipes stand and how one is read: a name or a path, a profile, and `--set key=value`."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import tomli_w
from pydantic import ValidationError

from tfnmt.errors import UserError, nearest
from tfnmt.zoo.recipe import Recipe

PAPER = "paper"
"""The profile that is the top level of the file itself."""


def directory() -> Path:
    """The zoo's recipes: inside the installed package, beside it in a checkout."""
    package = Path(__file__).parent
    shipped = package / "recipes"
    return shipped if shipped.is_dir() else package.parents[1] / "zoo"


def names() -> list[str]:
    """The names of the zoo's models."""
    return sorted(path.stem for path in directory().glob("*.toml"))


def card(name: str) -> str:
    """The model card of a named model, in Markdown; empty for a recipe of one's own."""
    path = directory() / f"{name}.md"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def find(model: str) -> Path:
    """The file of a recipe named as in the zoo (`rnnsearch50`) or by path (`./mine.toml`).

    Raises:
        UserError: there is no such model or file.
    """
    if model.endswith(".toml"):
        path = Path(model)
        if not path.is_file():
            siblings = [other.name for other in path.parent.glob("*.toml")] if path.parent.is_dir() else []
            raise UserError(f"There is no recipe file '{model}'. {nearest(path.name, siblings)}")
        return path
    path = directory() / f"{model}.toml"
    if model not in names():
        raise UserError(
            f"There is no model '{model}' in the zoo. {nearest(model, names())} `tfnmt list` shows them all."
        )
    return path


def profiles(model: str) -> list[str]:
    """The profiles of a recipe; the first is the paper's."""
    return [PAPER, *_read(find(model)).get("profiles", {})]


def load(
    model: str, profile: str = PAPER, overrides: Sequence[str] = (), options: Mapping[str, Any] | None = None
) -> Recipe:
    """The effective recipe.

    Args:
        model: name or path of the recipe.
        profile: the file's top level is `paper`; another one's table lies over it.
        overrides: `key.of.a.table=value` with a TOML value (a bare word counts as a string), in order.
        options: a table from other options of a command, laid over the profile and under the overrides.

    Raises:
        UserError: an unknown model, file, profile or key, or a value that does not fit; names the nearest valid one.
    """
    path = find(model)
    table = _read(path)
    variants = table.pop("profiles", {})
    if profile != PAPER and profile not in variants:
        raise UserError(f"{path.name} has no profile '{profile}'. {nearest(profile, [PAPER, *variants])}")
    sheets: list[tuple[str, dict[str, Any]]] = [(str(path), {"name": path.stem, **table})]
    if profile != PAPER:
        sheets.append((f"{path}, profile '{profile}'", {"profile": profile, **variants[profile]}))
    sheets.append(("the command line", dict(options or {})))
    sheets.extend((f"--set {override}", _parse_override(override)) for override in overrides)
    effective: dict[str, Any] = {}
    for _, sheet in sheets:
        effective = _lay_over(effective, sheet)
    try:
        return Recipe.model_validate(effective)
    except ValidationError as error:
        raise UserError("\n".join(_explain(error, sheets))) from None


def dumps(recipe: Recipe) -> str:
    """The recipe as TOML; reading it again gives an equal recipe."""
    return tomli_w.dumps(recipe.model_dump(mode="json", exclude_none=True, serialize_as_any=True))


def loads(text: str) -> Recipe:
    """The recipe that `dumps` wrote, as every translator and export carries it."""
    return Recipe.model_validate(tomllib.loads(text))


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8 text: byte {error.start} cannot be read. Save it as UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path} is not valid TOML: {error}") from None


def _parse_override(override: str) -> dict[str, Any]:
    key, equals, value = override.partition("=")
    keys = [part.strip() for part in key.split(".")]
    if not equals or not all(keys):
        raise UserError(f"--set {override}: expected key=value, for example training.minutes=30.")
    try:
        parsed: Any = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        parsed = value.strip()
    for part in reversed(keys):
        parsed = {part: parsed}
    return parsed


def _lay_over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """`above` wins key by key. A table that names another `kind` replaces the one below: its arguments are others."""
    result = dict(copy.deepcopy(below))
    for key, value in above.items():
        lower = result.get(key)
        if isinstance(value, Mapping) and isinstance(lower, Mapping) and not _other_kind(lower, value):
            result[key] = _lay_over(lower, value)
        else:
            result[key] = copy.deepcopy(value)
    return result


def _other_kind(below: Mapping[str, Any], above: Mapping[str, Any]) -> bool:
    return "kind" in above and above["kind"] != below.get("kind")


def _explain(error: ValidationError, sheets: Sequence[tuple[str, Mapping[str, Any]]]) -> Iterable[str]:
    for problem in error.errors():
        place = tuple(str(step) for step in problem["loc"])
        if problem["type"] == "unknown_key":
            place += (problem["ctx"]["key"],)
        message = problem["msg"] if "hint" in problem.get("ctx", {}) else f"{problem['msg']}, not {problem['input']!r}."
        if problem["type"] == "missing":
            message = "this key is needed."
        yield f"{_origin(place, sheets)}: {'.'.join(place) or 'recipe'}: {message}"


def _origin(place: Sequence[str], sheets: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    """The last sheet that says something at this place, else the file itself."""
    for label, sheet in reversed(sheets):
        table: Any = sheet
        for step in place:
            table = table.get(step) if isinstance(table, Mapping) else None
        if table is not None:
            return label
    return sheets[0][0]
