"""One text file, plain or compressed, read line by line in constant memory."""

from __future__ import annotations

import gzip
import lzma
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from io import BufferedIOBase
from pathlib import Path
from typing import NamedTuple

from tfnmt.errors import UserError, nearest

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

LONGEST_LINE = (
    1 << 24
)  # bytes; a longer one is no sentence, and must not fill the memory (a crafted archive can be endless)

_OPENERS: dict[str, Callable[[Path], BufferedIOBase]] = {
    ".gz": gzip.GzipFile,
    ".xz": lzma.LZMAFile,
    ".zst": zstd.ZstdFile,
}
_DAMAGE = (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, zstd.ZstdError)
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

# Unicode's category Cc but the tab, which is ordinary white space in text.
_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f]")


class Line(NamedTuple):
    """A line of text without its line end, and how many control characters in it were turned into spaces."""

    text: str
    control_characters: int


class TextFile:
    """The lines of a UTF-8 file; `.gz`, `.xz` and `.zst` are decompressed on the fly.

    A line ends at LF or CRLF and nowhere else: U+2028, U+0085, form feed and their like stay inside their line, so that
    line n of one language belongs to line n of the other. A byte-order mark before the first line is dropped. Control
    characters (Unicode category Cc but the tab: NUL, form feed, a lone CR, U+0085 …) count as white space: each becomes
    one space and is counted. The shell's locale plays no part.

    Raises:
        UserError: when constructed, if the file does not exist or is not a file; while iterating, if a line is not
            UTF-8 or longer than `LONGEST_LINE`, or the archive is cut short or damaged (each names file and line).
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if self.path.is_dir():
            raise UserError(f"{self.path} is a directory, but a text file was expected.")
        if not self.path.exists():
            raise UserError(f"There is no file {self.path}. {_nearest_file(self.path)}")

    def __iter__(self) -> Iterator[Line]:
        try:
            with _OPENERS.get(self.path.suffix.lower(), _open_plain)(self.path) as stream:
                yield from self._lines(stream)
        except OSError as error:
            raise UserError(f"{self.path} cannot be read: {error.strerror or error}.") from error

    def _lines(self, stream: BufferedIOBase) -> Iterator[Line]:
        number = 0
        while raw := self._read_line(stream, number + 1):
            number += 1
            if number == 1:
                raw = raw.removeprefix(_BYTE_ORDER_MARK)
                if not raw:  # the mark was the whole file
                    return
            yield self._decode(raw.removesuffix(b"\n").removesuffix(b"\r"), number)

    def _read_line(self, stream: BufferedIOBase, number: int) -> bytes:
        try:
            raw = stream.readline(LONGEST_LINE + 1)
        except _DAMAGE as error:
            raise UserError(
                f"{self.path} is damaged or cut short near line {number} ({error}). Fetch or compress it again."
            ) from error
        if len(raw) > LONGEST_LINE:
            raise UserError(f"{self.path}, line {number} is longer than {LONGEST_LINE:,} bytes. Is it a text file?")
        return raw

    def _decode(self, raw: bytes, number: int) -> Line:
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise UserError(
                f"{self.path}, line {number} is not valid UTF-8: byte 0x{raw[error.start]:02x} at position "
                f"{error.start + 1} of the line. {_encoding_hint(raw, number)}"
            ) from error
        # most lines hold none, and a search is cheaper than a substitution
        return Line(*_CONTROL.subn(" ", text)) if _CONTROL.search(text) else Line(text, 0)


def _open_plain(path: Path) -> BufferedIOBase:
    return path.open("rb")


def _nearest_file(path: Path) -> str:
    """The hint that ends an error about a file that does not exist."""
    folder = path.parent
    if not folder.is_dir():
        return f"There is no directory {folder} either."
    return nearest(path.name, (entry.name for entry in folder.iterdir() if entry.is_file()))


def _encoding_hint(raw: bytes, number: int) -> str:
    """What to do about a file that is not UTF-8, by what its first bytes look like."""
    if number == 1 and raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "It looks like UTF-16. Convert it: iconv -f UTF-16 -t UTF-8."
    if number == 1 and raw.startswith((b"\x1f\x8b", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd")):
        return f"It looks compressed: its name must end in one of {', '.join(_OPENERS)}."
    return "Convert the file to UTF-8 (for example with iconv), or delete the line from both sides."
