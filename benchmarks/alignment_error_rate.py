"""Alignment error rate of translators by forced decoding, beside the statistical aligner eflomal on the same text.

    pip install "tfnmt[aligner]"     # eflomal: GPL, a program of its own, which this script runs
    python -m benchmarks.alignment_error_rate alignments/europarl100.en-de \\
      --train opendoc.en-de/train --train tatoeba.en-de/train \\
      global-dot=runs/dot local-p=runs/local_p ensemble=runs/dot,runs/local_p

As in section 5.4 of Luong et al. (2015): a translator is fed the reference, and each target word is linked to the
source word with its highest weight. The aligner reads the training text and the gold sentences together, tokenized by
the Moses rules and lower-cased; it gives one link a target word (forward), one a source word (reverse), and both joined
by grow-diag-final-and (Och and Ney 2003; Koehn et al. 2003). Prints a Markdown table: precision, recall, error rate.
"""

from __future__ import annotations

import argparse
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

from benchmarks.corpora import found, lines
from tfnmt.evaluation.error_rate import alignment_quality
from tfnmt.evaluation.links import GoldLinks, Link, parse_gold, strongest_links
from tfnmt.evaluation.words import align_words
from tfnmt.text.word import WordTokenizer
from tfnmt.zoo import translators
from tfnmt.zoo.systems import System

LINES_AT_ONCE = 5_000
AROUND = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold", help="directory with test.SOURCE, test.TARGET and test.align; ends in SOURCE-TARGET")
    parser.add_argument("systems", nargs="*", metavar="[NAME=]MODEL", help="models, ensembles with commas between")
    parser.add_argument(
        "--train",
        action="append",
        default=[],
        metavar="TEXT",
        help="beginning of TEXT.SOURCE[.gz]; any number of times",
    )
    parser.add_argument("--limit", type=int, help="pairs of each training text at most")
    parser.add_argument("--no-aligner", action="store_true", help="leave the statistical aligner out")
    options = parser.parse_intermixed_args()

    directory = found(options.gold)
    languages = directory.name.rpartition(".")[2].split("-")
    sides = [lines(directory / f"test.{language}") for language in languages]
    gold = [parse_gold(line, f"line {number}") for number, line in enumerate(lines(directory / "test.align"), 1)]
    print(f"{directory.name}: {len(gold)} pairs, {sum(len(pair.sure) for pair in gold):,} sure links\n")
    print("| aligner | precision | recall | AER | links |")
    print("| --- | ---: | ---: | ---: | ---: |")
    if not options.no_aligner:
        for name, links in _eflomal(sides, languages, options.train, options.limit).items():
            _print_row(name, links, gold)
    for text in options.systems:
        system = System.named(text)
        alignments = align_words(translators.load(system.path), *sides)
        _print_row(system.name, [strongest_links(alignment.weights) for alignment in alignments], gold)


def _print_row(name: str, links: list[frozenset[Link]], gold: list[GoldLinks]) -> None:
    quality = alignment_quality(links, gold)
    print(
        f"| {name} | {quality.precision:.3f} | {quality.recall:.3f} | {quality.error_rate:.3f} | {quality.links:,} |",
        flush=True,
    )


def _eflomal(
    sides: list[list[str]], languages: list[str], train: list[str], limit: int | None
) -> dict[str, list[frozenset[Link]]]:
    """The links of the gold sentences, aligned together with the training text."""
    program = shutil.which("eflomal-align") or shutil.which("eflomal-align", path=str(Path(sys.executable).parent))
    if program is None:
        sys.exit("eflomal-align is missing: pip install 'tfnmt[aligner]', or leave it out by --no-aligner.")
    with tempfile.TemporaryDirectory() as folder:
        text, forward, reverse = (Path(folder) / name for name in ("text", "forward", "reverse"))
        with text.open("w", encoding="utf-8") as stream:
            for source, target in zip(*sides, strict=True):
                stream.write(f"{source.lower()} ||| {target.lower()}\n")
            for beginning in train:
                for source, target in _tokenized(beginning, languages, limit):
                    stream.write(f"{source} ||| {target}\n")
        subprocess.run([program, "-i", str(text), "-f", str(forward), "-r", str(reverse)], check=True)
        directions = [
            [parse_gold(line).sure for line in itertools.islice(path.open(encoding="utf-8"), len(sides[0]))]
            for path in (forward, reverse)
        ]
    return {
        "eflomal, forward": directions[0],
        "eflomal, reverse": directions[1],
        "eflomal, grow-diag-final-and": [_grown(*pair) for pair in zip(*directions, strict=True)],
    }


def _tokenized(beginning: str, languages: list[str], limit: int | None) -> Iterator[tuple[str, ...]]:
    """Pairs of a training text, words between blanks; none that is blank or holds the aligner's separator."""
    files = [lines(found(f"{beginning}.{language}"), limit) for language in languages]
    tokenizers = [WordTokenizer(language, lowercase=True) for language in languages]
    for start in range(0, len(files[0]), LINES_AT_ONCE):
        rows = [
            [
                " ".join(word.decode() for word in row)
                for row in tokenizer.split(text[start : start + LINES_AT_ONCE]).to_list()
            ]
            for tokenizer, text in zip(tokenizers, files, strict=True)
        ]
        yield from (pair for pair in zip(*rows, strict=True) if all(pair) and "|||" not in "".join(pair))


def _grown(forward: frozenset[Link], reverse: frozenset[Link]) -> frozenset[Link]:
    """grow-diag-final-and: the common links, grown by neighbours in either direction that bring an unaligned word, then
    by what links two unaligned words."""
    union, links = forward | reverse, set(forward & reverse)
    grew = True
    while grew:
        grew = False
        for source, target in sorted(links):
            for across, down in AROUND:
                new = (source + across, target + down)
                if new in union and new not in links and (_is_free(0, new, links) or _is_free(1, new, links)):
                    links.add(new)
                    grew = True
    for direction in (forward, reverse):
        for link in sorted(direction):
            if _is_free(0, link, links) and _is_free(1, link, links):
                links.add(link)
    return frozenset(links)


def _is_free(side: int, link: Link, links: set[Link]) -> bool:
    return all(other[side] != link[side] for other in links)


if __name__ == "__main__":
    main()
