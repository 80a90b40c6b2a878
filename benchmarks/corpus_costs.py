"""What a corpus costs by its size: generated text of 10,000 to 10 million lines, from the files to the minibatches.

    python -m benchmarks.corpus_costs                # some gigabytes in a temporary directory, half an hour
    python -m benchmarks.corpus_costs --lines 10000 100000 1000000

Each size is a process of its own, so that its memory can be told. Words are drawn by Zipf's law from 50,000 a side,
five to twenty a sentence. Columns: microseconds a word (of both sides) of learning the vocabularies and of encoding the
corpus, both once a run; seconds until the first minibatch when the corpus was encoded before; microseconds a word of
cutting minibatches, which happens beside training; the most memory that the process held of its own, without the pages
of files, above what it held when TensorFlow was loaded.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

from benchmarks import history
from benchmarks.memory import megabytes

WORDS = 50_000
LIMIT = 30_000
"""Words of a vocabulary."""
CUT = 2_000
"""Minibatches of 80 pairs that are cut, at most."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, nargs="+", default=[10_000, 100_000, 1_000_000, 10_000_000])
    parser.add_argument("--one", metavar="DIRECTORY", help="measure one size there and print a line of JSON")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measured(Path(options.one), options.lines[0])))
        return
    titles = ("lines", "vocabularies, µs a word", "encoding, µs a word", "begins after, s", "cutting, µs a word", "MB")
    print(f"| {' | '.join(titles)} |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    figures: dict[str, float] = {}
    for lines in options.lines:
        with tempfile.TemporaryDirectory() as directory:
            command = [sys.executable, "-m", "benchmarks.corpus_costs", "--one", directory, "--lines", str(lines)]
            said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        found = json.loads(said.splitlines()[-1])
        print(
            f"| {lines:,} | {found['learning']:.2f} | {found['encoding']:.2f} | {found['beginning']:.2f} "
            f"| {found['cutting']:.3f} | {found['memory']:.0f} |",
            flush=True,
        )
        figures |= {
            f"encoding a word of {lines} lines, us": found["encoding"],
            f"beginning with {lines} lines, s": found["beginning"],
            f"memory of {lines} lines, MB": found["memory"],
        }
    history.record("corpus_costs", figures)


def measured(directory: Path, lines: int) -> dict[str, float]:
    """The figures of one size."""
    from tfnmt.zoo.verb import load_tensorflow

    load_tensorflow()
    from tfnmt.corpora.batches import Batches
    from tfnmt.corpora.encoded_corpus import EncodedCorpus, LengthLimits
    from tfnmt.corpora.parallel_text import ParallelText
    from tfnmt.text.word import WordTokenizer

    names = directory / "text.en", directory / "text.de"
    words = sum(written(path, lines, seed) for seed, path in enumerate(names))
    tokenizers = WordTokenizer(language="en"), WordTokenizer(language="de")
    for tokenizer in tokenizers:  # what TensorFlow makes at the first use
        tokenizer.learn(["a b c"] * 100, size=10, minimum_count=1)
        tokenizer.tokenize(["a b"])
    before = highest = megabytes()[0]

    def look() -> None:
        nonlocal highest
        highest = max(highest, megabytes()[0])

    text = ParallelText(*names)
    start = time.perf_counter()
    for tokenizer, side in zip(tokenizers, (text.sources, text.targets), strict=True):
        tokenizer.learn(side(), size=LIMIT, minimum_count=1)
        look()
    learning = time.perf_counter() - start

    start = time.perf_counter()
    EncodedCorpus.build(text, *tokenizers, LengthLimits(50, 50), directory / "encoded")
    encoding = time.perf_counter() - start
    look()

    start = time.perf_counter()
    corpus, _ = EncodedCorpus.build(text, *tokenizers, LengthLimits(50, 50), directory / "encoded")
    batches = Batches(corpus, batch_size=80, seed=1)
    batches.count(0)
    next(iter(batches.epoch(0)))
    beginning = time.perf_counter() - start
    look()

    start, cut = time.perf_counter(), 0
    for number, batch in enumerate(islice(batches.epoch(0), CUT)):
        cut += int((batch.source_ids > 0).sum() + (batch.target_ids > 0).sum())
        if number % 100 == 0:
            look()
    cutting = time.perf_counter() - start
    return {
        "learning": 1e6 * learning / words, "encoding": 1e6 * encoding / words, "beginning": beginning,
        "cutting": 1e6 * cutting / cut, "memory": highest - before,
    }  # fmt: skip


def written(path: Path, lines: int, seed: int) -> int:
    """Writes text, a stretch at a time, and returns its words."""
    import numpy as np

    from benchmarks.sampled_softmax_speed import zipf

    draw = np.random.default_rng(seed)
    names = np.array([f"{'ab'[seed]}{number}" for number in range(WORDS)], object)
    total = 0
    with path.open("w", encoding="utf-8") as file:
        for first in range(0, lines, 10_000):
            lengths = draw.integers(5, 21, min(10_000, lines - first))
            words = names[zipf(draw, WORDS + 4, [int(lengths.sum())]) - 4]  # its ids begin at 4
            ends = np.cumsum(lengths)
            file.writelines(
                " ".join(words[end - length : end]) + "\n" for end, length in zip(ends, lengths, strict=True)
            )
            total += len(words)
    return total


if __name__ == "__main__":
    main()
