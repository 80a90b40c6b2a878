"""Which files a run learns from: named one by one, or found in a directory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tfnmt.errors import UserError, nearest

SPLITS = {"train": ("train",), "valid": ("valid", "dev"), "test": ("test",)}
"""The three parts of a corpus and how the names of their files begin."""
NEEDED = ("train", "valid")
_COMPRESSIONS = ("", ".gz", ".xz", ".zst")


def languages(pair: str) -> tuple[str, tuple[str, ...]]:
    """`en-de` -> `("en", ("de",))`; `en-de,fr` -> `("en", ("de", "fr"))`.

    Raises:
        UserError: it is not a name and one name or more, joined by a hyphen and commas.
    """
    source, _, rest = pair.partition("-")
    targets = tuple(rest.split(","))
    if not all((source, *targets)) or "-" in rest:
        raise UserError(
            f"'{pair}' is no pair of languages. Expected source-target, such as en-de, or en-de,fr for two."
        )
    return source, targets


def from_directory(directory: str, source: str, target: str) -> dict[str, dict[str, list[str]]]:
    """The `[corpus]` tables of a directory that holds `train*.en`, `train*.de`, `valid*.en`, ... `test*.de`.

    Files may be compressed. Several of a part are joined, in the order of their names. A source file that has its
    translation in another language alone is passed over.

    Args:
        directory: where the files are.
        source: the end of the source files' names, a language.
        target: the end of the target files' names.

    Raises:
        UserError: there is no such directory, training or validation text is missing, or a file lacks its other side.
    """
    folder = Path(directory)
    if not folder.is_dir():
        raise UserError(
            f"There is no directory '{directory}'. --data wants one that holds train.{source}, valid.{source}, ..."
        )
    tables = {}
    for split, beginnings in SPLITS.items():
        sides = {language: _files(folder, beginnings, language) for language in (source, target)}
        translated = _translated(folder, source)
        for one, other, there in ((source, target, translated), (target, source, set(sides[source]))):
            if lonely := sorted(set(sides[one]) - there):
                raise UserError(
                    f"'{sides[one][lonely[0]]}' has no translation beside it: '{lonely[0]}.{other}' is missing. "
                    f"{nearest(f'{lonely[0]}.{other}', [path.name for path in folder.iterdir()])}"
                )
        if names := sorted(set(sides[source]) & set(sides[target])):
            tables[split] = {
                "source": [str(sides[source][name]) for name in names],
                "target": [str(sides[target][name]) for name in names],
            }
        elif split in NEEDED:
            missing = target if sides[source] else source
            expected = " or ".join(f"{beginning}.{missing}" for beginning in beginnings)
            found = ", ".join(sorted(path.name for path in folder.iterdir())[:12]) or "nothing"
            raise UserError(
                f"'{directory}' holds no {expected} (.gz, .xz and .zst are read, too). It holds: {found}. "
                f"Name the languages by --languages, or the files by --{split}-source and --{split}-target."
            )
    return tables


def _translated(folder: Path, source: str) -> set[str]:
    """Names, without language and compression, of the files in any language but the source's."""
    endings = tuple(compression for compression in _COMPRESSIONS if compression)
    plain = (next((path.name.removesuffix(end) for end in endings if path.name.endswith(end)), path.name)
             for path in folder.iterdir())  # fmt: skip
    return {stem for stem, _, ending in (name.rpartition(".") for name in plain) if ending != source}


def named(split: str, sources: Sequence[str], targets: Sequence[str], tsv: Sequence[str]) -> dict[str, Any]:
    """The `[corpus]` table of one part whose files are named on the command line; empty if none is.

    Raises:
        UserError: the two sides have not the same number of files.
    """
    if len(sources) != len(targets):
        raise UserError(
            f"--{split}-source names {len(sources)} files and --{split}-target {len(targets)}: each source file needs "
            "its target file."
        )
    return {split: {"source": list(sources), "target": list(targets), "tsv": list(tsv)}} if sources or tsv else {}


def _files(folder: Path, beginnings: tuple[str, ...], language: str) -> dict[str, Path]:
    """Name without language and compression -> file."""
    found: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        for compression in _COMPRESSIONS:
            ending = f".{language}{compression}"
            if path.name.startswith(beginnings) and path.name.endswith(ending):
                found.setdefault(path.name.removesuffix(ending), path)
    return found
