"""Version directories: `<base>/1`, `<base>/2`, … as a model server looks for them.

A server watches the base directory and takes every numeric name for a complete model, the highest one for the newest.
So a version is written aside under a name that is not numeric, and renamed in one step when it is complete.
"""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tfnmt.errors import UserError


def versions(base: Path) -> list[int]:
    """The version numbers below a base directory, ascending; none if it does not exist."""
    if not base.is_dir():
        return []
    return sorted(int(path.name) for path in base.iterdir() if path.is_dir() and _is_version(path.name))


def next_version(base: Path, wanted: int | str | None = None) -> int:
    """The number of the next version.

    Args:
        base: directory that holds the versions; it need not exist.
        wanted: the number to use, or None for the one after the newest.

    Raises:
        UserError: the wanted version is no positive whole number, or not above the newest version.
    """
    newest = max(versions(base), default=0)
    if wanted is None:
        return newest + 1
    if not _is_version(str(wanted)) or int(wanted) == 0:
        raise UserError(
            f"'{wanted}' cannot be the version of an export. A model server looks for directories whose names are "
            f"whole numbers from 1 up, for example {newest + 1}. Leave the version out to get the next one."
        )
    if int(wanted) <= newest:
        raise UserError(
            f"{base} already holds version {newest}. A server takes the highest number for the newest model, so "
            f"version {wanted} would never be served. Use {newest + 1} or more, or leave the version out."
        )
    return int(wanted)


@contextmanager
def new_version(base: Path, wanted: int | str | None = None) -> Iterator[Path]:
    """A directory to fill, which appears as `<base>/<version>` when the block ends, complete or not at all.

    Args:
        base: directory that holds the versions; made if missing.
        wanted: see `next_version`.

    Yields:
        The directory to write into. It has another name until the block ends: read `version_of` it, not its name.

    Raises:
        UserError: the version cannot be used, the base directory cannot be made, or somebody else has published the
            same version meanwhile.
    """
    version = next_version(base, wanted)
    aside = base / f"incomplete-{version}-{uuid.uuid4().hex}"
    try:
        aside.mkdir(parents=True)  # with the usual permissions: another user's server must be able to read it
    except OSError as error:
        raise UserError(f"Cannot write an export to {base}: {error.strerror}. Choose another directory.") from error
    try:
        yield aside
        _publish(aside, base / str(version))
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def version_of(aside: Path) -> int:
    """The version that a directory of `new_version` will be."""
    return int(aside.name.split("-")[1])


def _publish(aside: Path, final: Path) -> None:
    try:
        os.rename(aside, final)
    except OSError as error:
        raise UserError(f"{final} has appeared while this version was being written. Export again.") from error


def _is_version(name: str) -> bool:
    # What a server parses: ASCII digits. "007" is left out, since it would be the same version as "7".
    return name.isascii() and name.isdigit() and str(int(name)) == name
