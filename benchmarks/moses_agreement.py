"""How often the word tokenizer agrees with sacremoses on real text: `python -m benchmarks.moses_agreement`.

Reads every Multi30k, newstest and NTREX file in English, German, French and Czech under `$TFNMT_DATA` (else
`../shared/data` beside the repository), splits each line with both and joins sacremoses's tokens with both, nothing
escaped. Prints a Markdown table with one row a file, and the lines that differ, grouped by kind.
"""

from __future__ import annotations

import gzip
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import sacremoses
import tensorflow as tf

from benchmarks.corpora import DATA
from tfnmt.text.word import WordTokenizer

LANGUAGES = ("en", "de", "fr", "cs")
LINES_AT_ONCE = 2_000

NUMBER_AT_END = "the line ends in a number and a stop, and sacremoses leaves out the blank before each number of it"
DECIMAL = "two numbers with a stop or a comma between them are joined here, as by Moses, but not by sacremoses"
DECOMPOSED = "a letter and its accent are two characters in the text, which Unicode normalization (NFC) makes one"
OTHER = "other"


@dataclass
class Agreement:
    """Counts of one file and examples of what differs, by kind."""

    lines: int
    split: int = 0
    joined: int = 0
    kinds: Counter[str] = field(default_factory=Counter)


def read(path: Path) -> list[str]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\n") for line in file]


class Comparison:
    """The word tokenizer and sacremoses side by side for one language."""

    def __init__(self, language: str) -> None:
        tokenizer = WordTokenizer(language)
        self._split = tf.function(tokenizer.split, input_signature=[tf.TensorSpec([None], tf.string)])
        self._join = tf.function(tokenizer.join, input_signature=[tf.RaggedTensorSpec([None, None], tf.string)])
        self._splitter = sacremoses.MosesTokenizer(language)
        self._joiner = sacremoses.MosesDetokenizer(language)

    def agreement(self, lines: list[str]) -> Agreement:
        result = Agreement(len(lines))
        for start in range(0, len(lines), LINES_AT_ONCE):
            self._compare(lines[start : start + LINES_AT_ONCE], result)
        return result

    def _compare(self, lines: list[str], result: Agreement) -> None:
        theirs = [self._splitter.tokenize(line, escape=False) for line in lines]
        ours = [[word.decode() for word in row] for row in self._split(tf.constant(lines)).to_list()]
        texts = [text.decode() for text in self._join(tf.ragged.constant(theirs)).numpy()]
        for tokens, expected, text in zip(ours, theirs, texts, strict=True):
            if tokens == expected:
                result.split += 1
            else:
                result.kinds["split: " + split_kind(tokens, expected)] += 1
            expected_text = self._joiner.detokenize(expected, unescape=False)
            if text == expected_text:
                result.joined += 1
            else:
                result.kinds["join: " + join_kind(text, expected_text, expected)] += 1


def split_kind(ours: list[str], theirs: list[str]) -> str:
    if unicodedata.normalize("NFC", "".join(theirs)) != "".join(theirs):
        return DECOMPOSED
    only_ours, only_theirs = set(ours) - set(theirs), set(theirs) - set(ours)
    kept_here = {word for word in only_ours if word.endswith(".") and word != "."}
    kept_there = {word for word in only_theirs if word.endswith(".") and word != "."}
    if kept_here and not kept_there:
        return f"abbreviation known here only: {' '.join(sorted(kept_here))}"
    if kept_there and not kept_here:
        return f"abbreviation known to sacremoses only: {' '.join(sorted(kept_there))}"
    return OTHER


def join_kind(ours: str, theirs: str, tokens: list[str]) -> str:
    if ours.replace(" ", "") != theirs.replace(" ", ""):
        return OTHER
    if len(tokens) > 1 and re.fullmatch(r"[0-9]+", tokens[-2]) and re.fullmatch(r"[.,]", tokens[-1]):
        return NUMBER_AT_END
    return DECIMAL if re.search(r"[0-9] [.,] [0-9]", " ".join(tokens)) else OTHER


def files(language: str) -> Iterator[Path]:
    patterns = ("multi30k/*.{}", "multi30k/*.{}.gz", "wmt/newstest*.{}", "ntrex/test.{}")
    for pattern in (pattern.format(language) for pattern in patterns):
        yield from sorted(DATA.glob(pattern))


def main() -> None:
    kinds: Counter[tuple[str, str]] = Counter()
    print("| file | lines | tokenized identically | detokenized identically |")
    print("| --- | ---: | ---: | ---: |")
    for language in LANGUAGES:
        comparison = Comparison(language)
        for path in files(language):
            result = comparison.agreement(read(path))
            split, joined = (100 * count / result.lines for count in (result.split, result.joined))
            name = path.relative_to(DATA).as_posix().removesuffix(".gz")
            print(f"| {name} | {result.lines:,} | {split:.2f} % | {joined:.2f} % |", flush=True)
            kinds.update({(language, kind): count for kind, count in result.kinds.items()})
    print("\n| language | lines | what differs |")
    print("| --- | ---: | --- |")
    for (language, kind), count in sorted(kinds.items(), key=lambda item: (LANGUAGES.index(item[0][0]), -item[1])):
        print(f"| {language} | {count} | {kind} |")


if __name__ == "__main__":
    if not DATA.is_dir():
        sys.exit(f"No corpora at {DATA}. Set TFNMT_DATA to the folder that holds multi30k/ and wmt/.")
    main()
