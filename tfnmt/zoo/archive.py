"""What a `.keras` file from anywhere must look like before it is opened: Keras trusts the sizes that it names."""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from tfnmt.errors import UserError

WEIGHTS = "model.weights.h5"
CONFIG = "config.json"
MEMBERS = ("metadata.json", CONFIG, WEIGHTS)
"""The files that Keras writes; vocabularies and the like lie in `assets/`."""
SMALL = 10_000
"""A number up to this one in the configuration is no size worth a question."""


def check(path: Path) -> None:
    """Refuse an archive that names files outside itself, or sizes that it does not hold.

    Every size of a network is an axis of one of its weights, so a number in the configuration that is larger than all
    axes in the file would only fill the memory. What the file may *do* is Keras's own concern: it loads in safe mode,
    which runs no code from a file.

    Raises:
        UserError: saying which member is not as Keras writes it.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                _check_member(path, member)
            longest = _longest_axis(path, archive.read(WEIGHTS))
            config = json.loads(archive.read(CONFIG))
    except UserError:
        raise
    except Exception as error:  # a file from anywhere can be wrong in any way
        raise UserError(f"'{path}' is no whole `.keras` file: {str(error) or type(error).__name__}") from error
    for key, number in _numbers(config):
        if number > max(longest, SMALL):
            raise UserError(f"'{path}' names a size that its weights do not have: {key} is {number:,}.")


def _check_member(path: Path, member: zipfile.ZipInfo) -> None:
    name = PurePosixPath(member.filename)
    inside = not name.is_absolute() and ".." not in name.parts and "\\" not in member.filename
    if not inside or (member.filename not in MEMBERS and name.parts[:1] != ("assets",)):
        raise UserError(f"'{path}' holds '{member.filename}', which no translator has. Do not open it.")
    if member.compress_type != zipfile.ZIP_STORED or member.file_size != member.compress_size:
        raise UserError(f"'{path}' holds '{member.filename}' compressed, which Keras does not do. Do not open it.")


def _longest_axis(path: Path, content: bytes) -> int:
    """The longest axis of all weights, each of which lies in the file in full."""
    import h5py

    longest = 0
    with h5py.File(io.BytesIO(content), "r") as file:

        def visit(name: str, item: Any) -> None:
            nonlocal longest
            if isinstance(item, h5py.Dataset):
                declared = math.prod(item.shape) * item.dtype.itemsize
                if item.external or item.is_virtual or item.id.get_storage_size() < declared:
                    raise UserError(f"'{path}' declares {declared:,} bytes for '{name}' that it does not hold.")
                longest = max(longest, *item.shape, 0)

        file.visititems(visit)
    return longest


def _numbers(config: Any, key: str = "the whole") -> Iterator[tuple[str, float]]:
    if isinstance(config, dict):
        for name, value in config.items():
            yield from _numbers(value, name)
    elif isinstance(config, list):
        for value in config:
            yield from _numbers(value, key)
    elif isinstance(config, int) and "seed" not in key and key != "shared_object_id":
        yield key, config
