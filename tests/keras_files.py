"""What a `.keras` file holds, taken out and put back by the tests that change it."""

from __future__ import annotations

import io
import zipfile

Files = dict[str, bytes]
"""The content of each member."""


def unpacked(file: bytes) -> Files:
    with zipfile.ZipFile(io.BytesIO(file)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def packed(files: Files, compression: int = zipfile.ZIP_STORED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name or "_"), content, compression)
    return stream.getvalue()
