"""Sentence pairs, whatever they come from."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple


class Where(NamedTuple):
    """The place that a sentence pair came from: a file (or another name of its origin) and a line, counted from 1."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class SentencePair(NamedTuple):
    """A sentence and its translation; either may be blank, since it is pairs that are dropped and never lines."""

    source: str
    target: str
    where: Where
    control_characters: int = 0  # how many of them, on both sides, became spaces


class SentencePairs(ABC):
    """Sentence pairs that can be gone through any number of times, in constant memory."""

    @abstractmethod
    def __iter__(self) -> Iterator[SentencePair]: ...

    @property
    @abstractmethod
    def fingerprint(self) -> Any:
        """Data for JSON that changes whenever the pairs may have changed; cheap for a corpus of any size."""

    def sources(self) -> Iterator[str]:
        """The source sides, for `tokenizer.learn`."""
        return (pair.source for pair in self)

    def targets(self) -> Iterator[str]:
        """The target sides, for `tokenizer.learn`."""
        return (pair.target for pair in self)


class PairList(SentencePairs):
    """Sentence pairs that lie in memory: generated ones, or a program's own.

    Args:
        pairs: `(source, target)` strings.
        name: Stands for the file in every `where`.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]], name: str = "pairs") -> None:
        self.name = name
        self._pairs: Sequence[tuple[str, str]] = tuple(pairs)

    def __iter__(self) -> Iterator[SentencePair]:
        for number, (source, target) in enumerate(self._pairs, start=1):
            yield SentencePair(source, target, Where(self.name, number))

    def __len__(self) -> int:
        return len(self._pairs)

    @property
    def fingerprint(self) -> Any:
        digest = hashlib.sha256()
        for pair in self._pairs:
            for side in pair:
                encoded = side.encode()
                digest.update(len(encoded).to_bytes(8, "big") + encoded)
        return [self.name, digest.hexdigest()]
