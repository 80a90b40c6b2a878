"""A corpus as token ids on disk: built once in constant memory, opened at once ever after."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import time
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import tensorflow as tf

from tfnmt.corpora.corpus_report import CorpusReport, FrequentWords, SideReport
from tfnmt.corpora.id_rows import IdRows, IdRowsWriter, Int32, Int64
from tfnmt.corpora.sentence_pairs import SentencePair, SentencePairs, Where
from tfnmt.errors import UserError
from tfnmt.text.vocabulary import UNKNOWN

if TYPE_CHECKING:
    from tfnmt.text.tokenizer import Tokenizer

_FORMAT = 1  # to be raised whenever the files' meaning changes
_CHUNK = 8192  # pairs tokenized at once
_DESCRIPTION = "corpus.json"
_BUILDING = ".building-"
_ABANDONED = 3600.0  # seconds after which a build that writes nothing more has been killed
_INDIFFERENT = ("name", "trainable", "dtype")  # settings of any Keras layer that change no token


class LengthLimits(NamedTuple):
    """The most tokens that a side may have, the end symbol not counted; None = any.

    As in the paper (Bahdanau et al. 2015, section 4.2: "sentences of length up to 50 words") a pair is left out when
    either of its sides is longer.
    """

    source: int | None = None
    target: int | None = None


class EncodedCorpus:
    """Pairs of token ids, memory-mapped, each of which remembers its file and line.

    Made by `EncodedCorpus.build`. Pairs are numbered from 0 in the order in which they were read.

    Attributes:
        source, target: The ids of the two sides, without control symbols other than unknown.
        report: What was kept and why the rest was not.
        directory: Where it lies; what is computed from it may be kept there as well.
    """

    def __init__(self, directory: Path) -> None:
        description = json.loads((directory / _DESCRIPTION).read_text(encoding="utf-8"))
        self.directory = directory
        self.report = CorpusReport.from_json(description["report"])
        self.source = IdRows(directory / "source")
        self.target = IdRows(directory / "target")
        self._lines = np.asarray(np.memmap(directory / "lines", np.int64, mode="r"))
        self._files: list[tuple[int, str]] = [(first, file) for first, file in description["files"]]

    def __len__(self) -> int:
        return len(self._lines)

    def where(self, pair_number: int) -> str:
        """The file and line of a pair, as "file:line", lines counted from 1."""
        index = bisect_right(self._files, pair_number, key=lambda run: run[0]) - 1
        return str(Where(self._files[index][1], int(self._lines[pair_number])))

    @classmethod
    def build(
        cls,
        pairs: SentencePairs,
        source_tokenizer: Tokenizer,
        target_tokenizer: Tokenizer,
        limits: LengthLimits,
        directory: str | Path,
    ) -> tuple[EncodedCorpus, CorpusReport]:
        """Check, filter and tokenize sentence pairs, or open what was built from the same ones before.

        Blank pairs and over-long pairs are left out and counted. The result lies in a folder of `directory` named by a
        fingerprint of everything it depends on, so that any number of corpora share a directory, and nothing stale is
        ever used; it appears there whole or not at all.

        Args:
            pairs: Sentence pairs.
            source_tokenizer, target_tokenizer: Tokenizers with vocabularies.
            limits: Longest sides.
            directory: Where encoded corpora are kept; made if need be.

        Raises:
            UserError: if no pair remains, the directory cannot be written, or for what `pairs` raises.
        """
        tokenizers = (source_tokenizer, target_tokenizer)
        folder = Path(directory) / _fingerprint(pairs, tokenizers, limits)
        corpus = cls._open(folder)
        if corpus is None:
            try:
                Path(directory).mkdir(parents=True, exist_ok=True)
                _remove_abandoned(Path(directory))
                with tempfile.TemporaryDirectory(prefix=_BUILDING, dir=directory) as temporary:
                    building = Path(temporary) / folder.name
                    building.mkdir()
                    _Builder(building, tokenizers, limits).build(pairs)
                    _move(building, folder)
            except OSError as error:
                raise UserError(
                    f"The encoded corpus cannot be written to {directory}: {error}. Free space there or name another "
                    f"directory."
                ) from error
            corpus = cls(folder)
        return corpus, corpus.report

    @classmethod
    def _open(cls, folder: Path) -> EncodedCorpus | None:
        """What was built before, unless it is missing or damaged."""
        try:
            corpus = cls(folder)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        sides = (corpus.source, corpus.target)
        whole = all(side.complete and len(side) == len(corpus) for side in sides) and len(corpus) == corpus.report.kept
        return corpus if whole else None


class _Builder:
    """Writes the files of one corpus."""

    def __init__(self, folder: Path, tokenizers: tuple[Tokenizer, Tokenizer], limits: LengthLimits) -> None:
        self._folder = folder
        self._sides = tuple(_Side(tokenizer) for tokenizer in tokenizers)
        self._limits = limits
        self._report = CorpusReport()
        self._files: list[tuple[int, str]] = []

    def build(self, pairs: Iterable[SentencePair]) -> None:
        """Write the ids, the lines and the description.

        Raises:
            UserError: if no pair remains.
        """
        with ExitStack() as stack:
            writers = [stack.enter_context(IdRowsWriter(self._folder / name)) for name in ("source", "target")]
            lines = stack.enter_context((self._folder / "lines").open("wb"))
            for chunk in _chunks(pairs, _CHUNK):
                kept, encoded = self._encode(self._without_blank(chunk))
                for writer, (ids, lengths) in zip(writers, encoded, strict=True):
                    writer.append(ids, lengths)
                lines.write(np.array([pair.where.line for pair in kept], np.int64).tobytes())
        self._report.source, self._report.target = (side.report() for side in self._sides)
        if not self._report.kept:
            raise UserError(self._nothing_left())
        description = {"report": self._report.to_json(), "files": self._files}
        (self._folder / _DESCRIPTION).write_text(
            json.dumps(description, indent=1, ensure_ascii=False), encoding="utf-8"
        )

    def _without_blank(self, chunk: list[SentencePair]) -> list[SentencePair]:
        report = self._report
        report.read += len(chunk)
        for pair in chunk:
            if pair.control_characters:
                report.add_control_characters(pair.control_characters, pair.where)
            if reason := _blank(not pair.source.strip(), not pair.target.strip()):
                report.skip(reason, pair.where)
        return [pair for pair in chunk if pair.source.strip() and pair.target.strip()]

    def _encode(self, pairs: list[SentencePair]) -> tuple[list[SentencePair], list[tuple[Int32, Int64]]]:
        """The pairs that are not over-long, and for each side their ids `[tokens]` and lengths `[pairs]`."""
        texts = ([pair.source for pair in pairs], [pair.target for pair in pairs])
        encoded = [side.encode(text) for side, text in zip(self._sides, texts, strict=True)]
        keep = np.ones(len(pairs), bool)
        for number, lengths in enumerate(zip(*(lengths.tolist() for _, lengths in encoded), strict=True)):
            if reason := _blank(*(length == 0 for length in lengths)) or self._too_long(*lengths):
                self._report.skip(reason, pairs[number].where)
                keep[number] = False
        kept = [pair for pair, keeping in zip(pairs, keep.tolist(), strict=True) if keeping]
        for number, pair in enumerate(kept, start=self._report.kept):
            if not self._files or self._files[-1][1] != pair.where.file:
                self._files.append((number, pair.where.file))
        self._report.kept += len(kept)
        return kept, [
            side.keep(text, ids, lengths, keep)
            for side, text, (ids, lengths) in zip(self._sides, texts, encoded, strict=True)
        ]

    def _too_long(self, source: int, target: int) -> str | None:
        for name, length, limit in (("source", source, self._limits.source), ("target", target, self._limits.target)):
            if limit is not None and length > limit:
                return f"{name} longer than {limit} tokens"
        return None

    def _nothing_left(self) -> str:
        reasons = "; ".join(f"{skipped.pairs:,} {reason}" for reason, skipped in self._report.skipped.items())
        return (
            f"None of the {self._report.read:,} sentence pairs remains: {reasons or 'there was none'}. Check that the "
            f"files are the right ones, or raise the length limits."
        )


class _Side:
    """Tokenizes one side and keeps its figures."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._report = SideReport()
        self._unknown = FrequentWords()
        self._tokenizer = tokenizer

    def encode(self, texts: list[str]) -> tuple[Int32, Int64]:
        """Ids of all texts one after the other `[tokens]`, and the lengths `[texts]`."""
        rows = self._tokenizer.tokenize(tf.constant(texts, tf.string))
        return rows.values.numpy(), rows.row_lengths().numpy()

    def keep(self, texts: list[str], ids: Int32, lengths: Int64, keep: np.ndarray) -> tuple[Int32, Int64]:
        """Leave out the texts that are not kept, and count the rest."""
        row_of_token = np.repeat(np.arange(len(lengths)), lengths)
        unknown = (ids == UNKNOWN) & keep[row_of_token]
        if unknown.any():
            words = self._tokenizer.split(tf.constant(texts, tf.string)).values.numpy()
            self._unknown.update(word.decode() for word in words[unknown])
        kept_ids, kept_lengths = ids[keep[row_of_token]], lengths[keep]
        self._report.tokens += len(kept_ids)
        self._report.unknown_tokens += int(unknown.sum())
        return kept_ids, kept_lengths

    def report(self) -> SideReport:
        """The figures of all texts kept."""
        self._report.frequent_unknown = self._unknown.most_frequent()
        return self._report


def _blank(source: bool, target: bool) -> str | None:
    """The reason to leave a pair out whose sides are blank or not."""
    names = [name for name, blank in (("source", source), ("target", target)) if blank]
    return "blank " + " and ".join(names) if names else None


def _chunks(pairs: Iterable[SentencePair], size: int) -> Iterator[list[SentencePair]]:
    iterator = iter(pairs)
    while chunk := list(islice(iterator, size)):
        yield chunk


def _fingerprint(pairs: SentencePairs, tokenizers: tuple[Tokenizer, Tokenizer], limits: LengthLimits) -> str:
    """Names everything that an encoded corpus depends on."""
    parts: list[Any] = [_FORMAT, pairs.fingerprint, limits]
    for tokenizer in tokenizers:
        config = {key: value for key, value in tokenizer.get_config().items() if key not in _INDIFFERENT}
        parts.append([type(tokenizer).__name__, config, tokenizer.vocabulary.fingerprint])
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:32]


def _remove_abandoned(directory: Path) -> None:
    """Remove what builds left that were killed before they could clean up."""
    for building in directory.glob(f"{_BUILDING}*"):
        written = max((file.stat().st_mtime for file in building.rglob("*")), default=building.stat().st_mtime)
        if time.time() - written > _ABANDONED:
            shutil.rmtree(building)


def _move(building: Path, folder: Path) -> None:
    """Put a finished corpus in its place. If another process was quicker, its equal result stays."""
    try:
        os.replace(building, folder)
    except OSError:
        if EncodedCorpus._open(folder) is None:  # a damaged one is in the way
            shutil.rmtree(folder)
            os.replace(building, folder)
