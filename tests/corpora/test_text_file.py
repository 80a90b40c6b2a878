"""Lines end at LF and nowhere else, and what is wrong in a file is named by file and line."""

from __future__ import annotations

import errno
import gzip
import io
import lzma
import os
from pathlib import Path

import pytest
from backports import zstd
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.processes import python
from tfnmt.corpora import text_file
from tfnmt.corpora.text_file import LONGEST_LINE, TextFile
from tfnmt.errors import UserError

COMPRESSORS = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress, ".zst": zstd.compress}
# what some reader or other takes for the end of a line
LINE_LIKE = ["\u2028", "\u2029", "\u0085", "\x0c", "\x0b", "\x1c", "\x1d", "\x1e", "\r", "\ufeff", "\x00"]


def read(path: Path, content: bytes) -> list[str]:
    path.write_bytes(content)
    return [line.text for line in TextFile(path)]


@pytest.mark.parametrize("suffix", COMPRESSORS)
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"a b\nc\n", ["a b", "c"]),
        (b"a b\nc", ["a b", "c"]),  # the last line needs no line end
        (b"a b\r\nc\r\n", ["a b", "c"]),  # C01
        (b"\xef\xbb\xbfa b\r\nc\n", ["a b", "c"]),  # C05: a byte-order mark is not part of the first word
        (b"\xef\xbb\xbf", []),
        (b"\xef\xbb\xbf\n", [""]),
        (b"", []),
        (b"\n\n", ["", ""]),
        ("Grüße\u2028an\u0085alle\x0cda\n".encode(), ["Grüße\u2028an alle da"]),
        (b"a\tb\n", ["a\tb"]),
    ],
)
def test_lines_of_a_file(tmp_path: Path, suffix: str, content: bytes, expected: list[str]) -> None:
    assert read(tmp_path / f"text{suffix}", COMPRESSORS[suffix](content)) == expected


def test_concatenated_archives_are_read_to_the_end(tmp_path: Path) -> None:
    for suffix, compress in COMPRESSORS.items():
        assert read(tmp_path / f"text{suffix}", compress(b"a\nb") + compress(b"c\nd\n")) == ["a", "bc", "d"]


# C04
def test_control_characters_are_white_space_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"x\na\x00b\x07 c\x7f\ny\n")
    assert list(TextFile(path)) == [("x", 0), ("a b  c ", 3), ("y", 0)]


@settings(deadline=None)  # it writes files
@given(
    st.lists(st.lists(st.sampled_from([*LINE_LIKE, "a", "ü", "漢", " ", "\t"])).map("".join), max_size=20),
    st.sampled_from(sorted(COMPRESSORS)),
    st.sampled_from(["\n", "\r\n"]),
)
def test_n_line_ends_give_n_lines_whatever_the_lines_hold(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], suffix: str, end: str
) -> None:
    lines = [line.lstrip("\ufeff").rstrip("\r") for line in lines]
    content = "".join(line + end for line in lines).encode()
    read_back = read(tmp_path_factory.mktemp("text") / f"text{suffix}", COMPRESSORS[suffix](content))
    control = {ord(character): " " for character in LINE_LIKE if character not in "\u2028\u2029\ufeff"}
    assert read_back == [line.translate(control) for line in lines]


def valid_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


@settings(deadline=None)  # it writes files
@given(st.binary(max_size=200))
def test_any_bytes_give_lines_or_an_error_that_names_the_line(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.mktemp("text") / "text"
    path.write_bytes(content)
    lines = list(io.BytesIO(content))
    bad = [number for number, line in enumerate(lines, start=1) if not valid_utf8(line)]
    if bad:
        with pytest.raises(UserError, match=f"text, line {bad[0]} is not valid UTF-8"):
            list(TextFile(path))
    else:
        assert len(list(TextFile(path))) == len(lines) - (content == b"\xef\xbb\xbf")


@pytest.mark.parametrize("suffix", [".gz", ".xz", ".zst"])
def test_archive_cut_short_is_an_error(tmp_path: Path, suffix: str) -> None:
    content = "".join(f"line {number * 7919 % 1000}\n" for number in range(5000)).encode()
    archive = COMPRESSORS[suffix](content)
    for damaged in (archive[: len(archive) // 2], archive[:-4], b"not an archive\n", archive[:1000] + b"?" * 1000):
        with pytest.raises(UserError, match="damaged or cut short near line"):
            read(tmp_path / f"text{suffix}", damaged)


@pytest.mark.parametrize("bad", [b"\xff", b"caf\xe9", b"\xed\xa0\x80", b"\xc0\x80", b"\xf5\x80\x80\x80"])
def test_invalid_utf8_names_file_line_and_byte(tmp_path: Path, bad: bytes) -> None:
    with pytest.raises(UserError, match=r"corpus\.de, line 3 is not valid UTF-8: byte 0x"):
        read(tmp_path / "corpus.de", b"a\n\n x " + bad + b"\nb\n")


@pytest.mark.parametrize(
    ("content", "hint"), [("a\n".encode("utf-16"), "UTF-16"), (gzip.compress(b"a\n", mtime=0), r"compressed.*\.gz")]
)
def test_other_encodings_are_recognised(tmp_path: Path, content: bytes, hint: str) -> None:
    with pytest.raises(UserError, match=hint):
        read(tmp_path / "corpus.de", content)


def test_endless_line_does_not_fill_the_memory(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="line 2 is longer than"):
        read(tmp_path / "bomb.zst", zstd.compress(b"a\n" + bytes(LONGEST_LINE + 2)))


def test_missing_file_names_the_nearest_one(tmp_path: Path) -> None:
    (tmp_path / "train.en.gz").touch()
    with pytest.raises(UserError, match=r"There is no file .*train\.en\. Did you mean 'train\.en\.gz'"):
        TextFile(tmp_path / "train.en")
    with pytest.raises(UserError, match="is a directory"):
        TextFile(tmp_path)
    with pytest.raises(UserError, match="There is no directory"):
        TextFile(tmp_path / "nowhere" / "train.en")


# C05
def test_a_file_that_goes_away_or_fails_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "text").write_text("a\n", encoding="utf-8")
    text = TextFile(tmp_path / "text")
    (tmp_path / "text").unlink()
    with pytest.raises(UserError, match="text cannot be read: No such file or directory"):
        list(text)

    class Failing(io.BytesIO):
        def readline(self, *_: object) -> bytes:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    (tmp_path / "text").write_text("a\n", encoding="utf-8")
    monkeypatch.setattr(text_file, "_open_plain", lambda path: Failing())
    with pytest.raises(UserError, match="text cannot be read: Input/output error"):
        list(TextFile(tmp_path / "text"))


def test_shell_locale_plays_no_part(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("Привет 漢字\n", encoding="utf-8")
    program = "import sys; from tfnmt.corpora.text_file import TextFile; print(ascii([*TextFile(sys.argv[1])][0].text))"
    ended = python("-c", program, path, LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert ended.output().strip() == ascii("Привет 漢字")
