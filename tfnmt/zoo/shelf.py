"""Where recipes stand and how one is read: a name or a path, what it extends, a profile, and `--set key=value`.

A recipe that is another one with a few changes says so and states the changes alone::

    extends = "luong_base_reverse"     # a name of the zoo, or the path of a `.toml` file, seen from this one

    [model.encoder]
    dropout = 0.2

    [profiles.small.training]
    minutes = 10

Its tables are laid over those of the other file key by key, its profiles over the profiles of the same name; then the
profile that was asked for over the whole. A table that names another `kind` replaces what was there, as does a list.
The other recipe may extend a third one.
"""

from __future__ import annotations

import copy
import functools
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import tomli_w
from pydantic import ValidationError

from tfnmt.errors import UserError, nearest
from tfnmt.zoo.recipe import Recipe

_Lineage = list[tuple[Path, dict[str, Any]]]
"""Files and what they hold."""

_DEEPEST = 30

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
    if Path(model).name != model or not path.is_file():
        raise UserError(
            f"There is no model '{model}' in the zoo. {nearest(model, names())} `tfnmt list` shows them all."
        )
    return path


def profiles(model: str) -> list[str]:
    """The profiles of a recipe; the first is the paper's."""
    return [PAPER, *dict.fromkeys(name for _, table in _lineage(model) for name in table.get("profiles", {}))]


def load(
    model: str, profile: str = PAPER, overrides: Sequence[str] = (), options: Mapping[str, Any] | None = None
) -> Recipe:
    """The effective recipe.

    Args:
        model: name or path of the recipe; what it `extends` lies below it.
        profile: the files' top level is `paper`; another one's tables lie over it.
        overrides: `key.of.a.table=value` with a TOML value (a bare word counts as a string), in order.
        options: a table from other options of a command, laid over the profile and under the overrides.

    Raises:
        UserError: an unknown model, file, profile or key, or a value that does not fit; names the nearest valid one.
    """
    lineage = _lineage(model)
    table = _merged(lineage)
    variants = table.pop("profiles", {})
    if profile != PAPER and profile not in variants:
        raise UserError(f"{lineage[-1][0].name} has no profile '{profile}'. {nearest(profile, [PAPER, *variants])}")
    if profile != PAPER:
        table = _lay_over(table, {"profile": profile, **variants[profile]})
    above = [
        ("the command line", dict(options or {})),
        *((f"--set {override}", _parse_override(override)) for override in overrides),
    ]
    for _, sheet in above:
        table = _lay_over(table, sheet)
    try:
        return Recipe.model_validate(table)
    except ValidationError as error:
        raise UserError("\n".join(_explain(error, [*_sheets(lineage, profile), *above], lineage[-1][0]))) from None


def dumps(recipe: Recipe) -> str:
    """The recipe as TOML; reading it again gives an equal recipe."""
    return tomli_w.dumps(recipe.model_dump(mode="json", exclude_none=True, serialize_as_any=True))


def loads(text: str) -> Recipe:
    """The recipe that `dumps` wrote, as every translator and export carries it."""
    return Recipe.model_validate(tomllib.loads(text))


def _lineage(model: str) -> _Lineage:
    """The file of a recipe after those that it extends, the most general first, without the key `extends`."""
    path = find(model)
    lineage = [(path, _read(path))]
    while (base := lineage[0][1].pop("extends", None)) is not None:
        path = _base(lineage[0][0], base)
        if path.resolve() in (known.resolve() for known, _ in lineage):
            circle = ", which extends ".join(str(known) for known in (*(known for known, _ in reversed(lineage)), path))
            raise UserError(f"{circle}: recipes cannot extend each other in a circle. Take one `extends` out.")
        lineage.insert(0, (path, _read(path)))
    return lineage


def _base(path: Path, base: Any) -> Path:
    """The file that the recipe at `path` extends."""
    if not isinstance(base, str):
        raise UserError(f"{path}: extends: expected the name or the path of one recipe, not {base!r}.")
    try:
        return find(str(path.parent / base) if base.endswith(".toml") else base)
    except UserError as error:
        raise UserError(f"{path}: extends: {error}") from None


def _merged(lineage: _Lineage) -> dict[str, Any]:
    """All these files as if they were one, their profiles under `profiles`."""
    merged: dict[str, Any] = {}
    for path, table in lineage:
        merged = _lay_over(merged, {"name": path.stem, **table})
    return merged


def _sheets(lineage: _Lineage, profile: str) -> list[tuple[str, Mapping[str, Any]]]:
    """What these files say, each part with its place, the weakest first."""
    tops = [(str(path), table) for path, table in lineage]
    variants = [(f"{path}, profile '{profile}'", table.get("profiles", {}).get(profile, {})) for path, table in lineage]
    return [*tops, *variants]


@functools.lru_cache(maxsize=64)
def _parsed(text: str) -> dict[str, Any]:
    """TOML, once: whoever lists the zoo reads what many recipes extend again and again."""
    return tomllib.loads(text)


def _read(path: Path) -> dict[str, Any]:
    try:
        table = dict(_parsed(path.read_text(encoding="utf-8-sig")))  # its own top level, which is changed
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8 text: byte {error.start} cannot be read. Save it as UTF-8.") from None
    except (ValueError, RecursionError) as error:  # beyond TOML's own: numbers and nesting too long for Python
        raise UserError(f"{path} is not valid TOML: {error}") from None
    if _deeper(table, _DEEPEST):
        raise UserError(f"{path}: tables lie in tables more than {_DEEPEST} deep; no recipe has such.")
    return table


def _parse_override(override: str) -> dict[str, Any]:
    key, equals, value = override.partition("=")
    keys = [part.strip() for part in key.split(".")]
    if not equals or not all(keys):
        raise UserError(f"--set {override}: expected key=value, for example training.minutes=30.")
    try:
        parsed: Any = tomllib.loads(f"value = {value}")["value"]
    except (ValueError, RecursionError):  # beyond TOML's own: numbers and nesting too long for Python
        parsed = value.strip()
    if len(keys) > _DEEPEST or _deeper(parsed, _DEEPEST - len(keys)):
        raise UserError(
            f"--set {override[:80]}...: tables lie in tables more than {_DEEPEST} deep; no recipe has such."
        )
    for part in reversed(keys):
        parsed = {part: parsed}
    return parsed


def _deeper(value: Any, levels: int) -> bool:
    """Whether tables and lists are nested in more than so many levels."""
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return bool(inner) and (levels == 0 or any(_deeper(item, levels - 1) for item in inner))


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


def _explain(error: ValidationError, sheets: Sequence[tuple[str, Mapping[str, Any]]], path: Path) -> Iterable[str]:
    for problem in error.errors():
        place = tuple(str(step) for step in problem["loc"])
        if problem["type"] == "unknown_key":
            place += (problem["ctx"]["key"],)
        message = problem["msg"] if "hint" in problem.get("ctx", {}) else f"{problem['msg']}, not {problem['input']!r}."
        if problem["type"] == "missing":
            message = "this key is needed."
        yield f"{_origin(place, sheets) or path}: {'.'.join(place) or 'recipe'}: {message}"


def _origin(place: Sequence[str], sheets: Sequence[tuple[str, Mapping[str, Any]]]) -> str | None:
    """The last sheet that says something at this place, if one does."""
    for label, sheet in reversed(sheets):
        table: Any = sheet
        for step in place:
            table = table.get(step) if isinstance(table, Mapping) else None
        if table is not None:
            return label
    return None
