"""Parallel text: files whose line n in one language translates line n in the other, and tab-separated files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from tfnmt.corpora.sentence_pairs import SentencePair, SentencePairs, Where
from tfnmt.corpora.text_file import Line, TextFile
from tfnmt.errors import UserError

Paths = str | Path | Sequence[str | Path]


class ParallelText(SentencePairs):
    """Sentence pairs from files, one sentence a line; several files are joined, first with first.

    `where` names the source file (its line number is the target file's, too).

    Args:
        source_paths: One path or several, each plain or compressed (see `TextFile`).
        target_paths: As many paths.

    Raises:
        UserError: if a file is missing or there are not as many on both sides; while iterating, if two files that
            belong together have not the same number of lines (both counts are named) or no line at all, or for what
            `TextFile` raises.
    """

    def __init__(self, source_paths: Paths, target_paths: Paths) -> None:
        self.source_files = [TextFile(path) for path in _as_list(source_paths)]
        self.target_files = [TextFile(path) for path in _as_list(target_paths)]
        if len(self.source_files) != len(self.target_files) or not self.source_files:
            raise UserError(
                f"There are {len(self.source_files)} source files ({_names(self.source_files)}) and "
                f"{len(self.target_files)} target files ({_names(self.target_files)}); each source file needs its "
                f"own target file."
            )

    @staticmethod
    def from_tsv(paths: Paths) -> TabSeparatedText:
        """Sentence pairs from tab-separated files, see `TabSeparatedText`."""
        return TabSeparatedText(paths)

    def __iter__(self) -> Iterator[SentencePair]:
        for source_file, target_file in zip(self.source_files, self.target_files, strict=True):
            yield from _paired(source_file, target_file)

    @property
    def fingerprint(self) -> Any:
        return [_file_states(self.source_files), _file_states(self.target_files)]

    def sources(self) -> Iterator[str]:
        """The source sides; the target files are not read."""
        return (line.text for file in self.source_files for line in file)

    def targets(self) -> Iterator[str]:
        """The target sides; the source files are not read."""
        return (line.text for file in self.target_files for line in file)


class TabSeparatedText(SentencePairs):
    """Sentence pairs from files of one pair a line: source, tab, target.

    Further columns (a licence, an author) are left aside, yet each line must have as many columns as its file's first
    line, so that a stray tab inside a sentence is found. A blank line is a blank pair.

    Args:
        paths: One path or several, each plain or compressed (see `TextFile`).

    Raises:
        UserError: if a file is missing; while iterating, if a line has fewer than two columns or not as many as the
            first (file and line are named), if a file is empty, or for what `TextFile` raises.
    """

    def __init__(self, paths: Paths) -> None:
        self.files = [TextFile(path) for path in _as_list(paths)]
        if not self.files:
            raise UserError("No tab-separated file was given; at least one is needed.")

    def __iter__(self) -> Iterator[SentencePair]:
        for file in self.files:
            yield from _columns(file)

    @property
    def fingerprint(self) -> Any:
        return [_file_states(self.files)]


def _paired(source_file: TextFile, target_file: TextFile) -> Iterator[SentencePair]:
    """The pairs of two files, line by line.

    Raises:
        UserError: at the end, if one file was longer or both were empty.
    """
    name = str(source_file.path)
    source_count = target_count = 0
    for source, target in zip_longest(source_file, target_file):
        source_count += source is not None
        target_count += target is not None
        if source_count == target_count:  # otherwise read on, only to count
            yield _pair(source, target, Where(name, source_count))
    if source_count != target_count:
        raise UserError(
            f"{source_file.path} has {source_count:,} lines and {target_file.path} has {target_count:,}. Line n of one "
            f"must translate line n of the other: find the line that is missing or split."
        )
    if source_count == 0:
        raise UserError(f"{source_file.path} and {target_file.path} are empty; at least one line was expected.")


def _pair(source: Line, target: Line, where: Where) -> SentencePair:
    return SentencePair(source.text, target.text, where, source.control_characters + target.control_characters)


def _columns(file: TextFile) -> Iterator[SentencePair]:
    """The pairs of one tab-separated file."""
    name = str(file.path)
    expected = number = 0
    for number, line in enumerate(file, start=1):
        where = Where(name, number)
        if not line.text.strip():
            yield SentencePair("", "", where, line.control_characters)
            continue
        cells = line.text.split("\t")
        if len(cells) < 2:
            raise UserError(f"{file.path}, line {number} has no tab; expected: source, tab, target.")
        expected = expected or len(cells)
        if len(cells) != expected:
            raise UserError(
                f"{file.path}, line {number} has {len(cells)} columns, but the lines before it have {expected}. "
                f"A sentence must not hold a tab."
            )
        yield SentencePair(cells[0], cells[1], where, line.control_characters)
    if number == 0:
        raise UserError(f"{file.path} is empty; at least one line was expected.")


def _as_list(paths: Paths) -> Sequence[str | Path]:
    return [paths] if isinstance(paths, str | Path) else paths


def _names(files: Sequence[TextFile]) -> str:
    return ", ".join(str(file.path) for file in files) or "none"


def _file_states(files: Sequence[TextFile]) -> list[tuple[str, int, int]]:
    """Path, size and time of the last change of each file."""
    states = [(str(file.path.resolve()), file.path.stat()) for file in files]
    return [(path, state.st_size, state.st_mtime_ns) for path, state in states]
