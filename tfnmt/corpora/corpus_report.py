"""What the checks before training found: how many pairs were kept, why others were not, what is unknown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from rich.table import Table
from rich.text import Text

UNKNOWN_RATE_WARNING = 0.2
"""Share of unknown tokens above which a side is suspected to have been prepared differently from its vocabulary."""

_EXAMPLES = 5
_CANDIDATES = 100_000  # distinct unknown words counted at once; keeps the memory constant for a corpus of any size


@dataclass
class Skipped:
    """The pairs left out for one reason: how many, and where the first few stand."""

    pairs: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, where: object) -> None:
        """Count one more pair."""
        self.pairs += 1
        if len(self.examples) < _EXAMPLES:
            self.examples.append(str(where))


@dataclass
class SideReport:
    """The tokens of one side of the kept pairs, and those that its vocabulary does not hold."""

    tokens: int = 0
    unknown_tokens: int = 0
    frequent_unknown: list[tuple[str, int]] = field(default_factory=list)

    @property
    def unknown_rate(self) -> float:
        """Share of the tokens that are unknown, 0 to 1."""
        return self.unknown_tokens / self.tokens if self.tokens else 0.0


@dataclass
class CorpusReport:
    """The outcome of `EncodedCorpus.build`.

    Attributes:
        read: Pairs read.
        kept: Pairs kept.
        skipped: Reason -> the pairs that were left out for it.
        source, target: Tokens and unknown tokens of the kept pairs.
        control_characters: How many control characters were turned into spaces, over all pairs read.
        control_character_examples: Where the first pairs with control characters stand.
    """

    read: int = 0
    kept: int = 0
    skipped: dict[str, Skipped] = field(default_factory=dict)
    source: SideReport = field(default_factory=SideReport)
    target: SideReport = field(default_factory=SideReport)
    control_characters: int = 0
    control_character_examples: list[str] = field(default_factory=list)

    def skip(self, reason: str, where: object) -> None:
        """Count a pair that was left out."""
        self.skipped.setdefault(reason, Skipped()).add(where)

    def add_control_characters(self, count: int, where: object) -> None:
        """Count the control characters of one pair."""
        self.control_characters += count
        if len(self.control_character_examples) < _EXAMPLES:
            self.control_character_examples.append(str(where))

    def warnings(self) -> list[str]:
        """What the user should look at before training, one sentence each."""
        found = []
        for name, side in (("source", self.source), ("target", self.target)):
            if side.unknown_rate > UNKNOWN_RATE_WARNING:
                words = ", ".join(f"'{word}' ({count:,})" for word, count in side.frequent_unknown)
                found.append(
                    f"{side.unknown_rate:.0%} of the {name} tokens are unknown; the most frequent are {words}. Were "
                    f"text and vocabulary prepared alike (case, tokenizer, language)?"
                )
        if self.kept < self.read / 2:
            reasons = "; ".join(f"{skipped.pairs:,} {reason}" for reason, skipped in self.skipped.items())
            found.append(
                f"Only {self.kept:,} of {self.read:,} pairs are kept: {reasons}. Length limits are raised by "
                f"corpus.maximum_length in a recipe."
            )
        return found

    def table(self, title: str = "Corpus") -> Table:
        """The report for a person, to be printed by a `rich.console.Console`."""
        table = Table("", "number", "share", "examples", title=title, title_justify="left")
        for column in table.columns[1:3]:
            column.justify = "right"
        table.columns[3].overflow = "fold"  # the line number at the end of a long path must stay readable
        table.add_row("pairs read", f"{self.read:,}")
        for reason, skipped in self.skipped.items():
            table.add_row(
                f"pairs skipped: {reason}",
                f"{skipped.pairs:,}",
                _share(skipped.pairs, self.read),
                Text(skipped.examples[0]),  # a path or a word may look like markup
            )
        table.add_row("pairs kept", f"{self.kept:,}", _share(self.kept, self.read), end_section=True)
        for name, side in (("source", self.source), ("target", self.target)):
            table.add_row(f"{name} tokens", f"{side.tokens:,}")
            words = Text(", ".join(word for word, _ in side.frequent_unknown))
            table.add_row(
                f"{name} tokens unknown", f"{side.unknown_tokens:,}", _share(side.unknown_tokens, side.tokens), words
            )
        if self.control_characters:
            count, first = f"{self.control_characters:,}", Text(self.control_character_examples[0])
            table.add_row("control characters, read as spaces", count, "", first)
        return table

    def to_json(self) -> dict[str, Any]:
        """Data for JSON that `from_json` reads back."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CorpusReport:
        """The report that `to_json` wrote."""
        skipped = {reason: Skipped(**value) for reason, value in data["skipped"].items()}
        sides = {name: _side(data[name]) for name in ("source", "target")}
        return cls(**{**data, "skipped": skipped, **sides})


class FrequentWords:
    """Counts words in constant memory.

    Beyond `_CANDIDATES` distinct words the rarer half is forgotten, so that on a huge corpus the counts are lower
    bounds; the frequent words, which are all that is asked for, stay.
    """

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def update(self, words: Iterable[str]) -> None:
        """Count some more words."""
        self._counts.update(words)
        if len(self._counts) > _CANDIDATES:
            self._counts = Counter(dict(self._counts.most_common(_CANDIDATES // 2)))

    def most_frequent(self) -> list[tuple[str, int]]:
        """The five most frequent words with their counts, ties by code point."""
        return sorted(self._counts.items(), key=lambda entry: (-entry[1], entry[0]))[:_EXAMPLES]


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else ""


def _side(data: Mapping[str, Any]) -> SideReport:
    return SideReport(
        data["tokens"], data["unknown_tokens"], [(word, count) for word, count in data["frequent_unknown"]]
    )
