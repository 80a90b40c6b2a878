"""Shortlists against every word of the text, each trained for the same time, English to German.

    python -m benchmarks.large_vocabulary runs/large                  # three trainings of an hour, then the tables
    python -m benchmarks.large_vocabulary runs/large --minutes 5 --sentences 200 --pairs 2000
    python -m benchmarks.large_vocabulary runs/large --systems log_uniform unigram partition_reshuffled

Text: `opendoc` and `tatoeba`, Moses words, with case, at most 50 words; the network is that of rnnsearch_lv's small
profile, trained with bfloat16 products on minibatches in any order of length. tau is 10,000, of 150,000 words the share
that the paper's 30,000 are of 500,000. It may be stopped at any time: the same command goes on where it was, in the
middle of a training too, and does no part twice. All it finds is in DIRECTORY/results.json.

Of each system: BLEU of both test sets (detokenized, with case) with and without replacing unknown words by the lexicon
of its own alignments, the share of unknown words in what it writes, and words a second in training and in decoding. Of
the systems with every word: BLEU with candidate lists against K', with `--plot` as a picture too (figure 1 of Jean et
al. 2015).
"""

from __future__ import annotations

import argparse
import os
import time
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import runs
from benchmarks.corpora import found, lines

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

CORPORA = ("opendoc", "tatoeba")
LANGUAGES = ("en", "de")
K_OF_SOURCE_WORDS = (0, 1, 2, 5, 10, 20)
"""K', translations of each source word."""

SHOWN = ("partition", "shortlist10k", "shortlist30k")
TAU = 10_000
EVERY_WORD = {"source.vocabulary_size": 500_000, "target.vocabulary_size": 500_000}
SYSTEMS: dict[str, dict[str, Any]] = {
    "shortlist10k": {
        "source.vocabulary_size": 10_000,
        "target.vocabulary_size": 10_000,
        "model.output.kind": "softmax",
        "model.output.kernel_initializer.kind": "glorot_uniform",
    },
    "shortlist30k": {
        "source.vocabulary_size": 30_000,
        "target.vocabulary_size": 30_000,
        "model.output.kind": "softmax",
        "model.output.kernel_initializer.kind": "glorot_uniform",
    },
    "partition": {**EVERY_WORD, "model.output.sampling.size": TAU},
    "partition_reshuffled": {
        **EVERY_WORD,
        "model.output.sampling.size": TAU,
        "corpus.batches.order.kind": "shuffled_each_epoch",
    },
    "log_uniform": {**EVERY_WORD, "model.output.sampling.kind": "log_uniform", "model.output.sampling.size": 8192},
    "unigram": {**EVERY_WORD, "model.output.sampling.kind": "unigram", "model.output.sampling.size": 8192},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--minutes", type=float, default=60.0, help="of each training")
    parser.add_argument("--systems", nargs="+", choices=list(SYSTEMS), default=list(SHOWN))
    parser.add_argument("--sentences", type=int, help="of each test set; all without it")
    parser.add_argument("--pairs", type=int, default=50_000, help="training pairs that a lexicon is made of")
    parser.add_argument("--common", type=int, default=30_000, help="K of the candidate lists")
    parser.add_argument("--plot", type=Path, help="draw BLEU against K' into this file")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="more settings of all systems")
    options = parser.parse_args()
    options.directory.mkdir(parents=True, exist_ok=True)
    results = runs.Findings(options.directory / "results.json")
    for system in options.systems:
        train(options, system)
    for system in options.systems:
        measure(options, system, results)
    show(options, results)
    if options.plot:
        draw(options, results)


def train(options: argparse.Namespace, system: str) -> None:
    """By the command, which goes on where it stopped."""
    settings = {
        **SYSTEMS[system],
        "training.minutes": options.minutes,
        "training.epochs": 1000,
        "training.precision": "mixed_bfloat16",
        "training.validation_steps": 3000,
        "training.patience": 1000,
        "corpus.batches.ascending": "false",
        "target.minimum_count": 1,
        "source.minimum_count": 1,
    }
    files = {"train": CORPORA, "valid": CORPORA[1:], "test": CORPORA[1:]}
    runs.train(
        "rnnsearch_lv", options.directory / system, "--profile", "small", "--languages", "en-de",
        *runs.texts(LANGUAGES, {split: [f"{name}.en-de/{split}" for name in names] for split, names in files.items()}),
        settings=[*(f"{key}={value}" for key, value in settings.items()), *options.set],
    )  # fmt: skip


def measure(options: argparse.Namespace, system: str, results: runs.Findings) -> None:
    """Everything about one trained system."""
    import tfnmt.zoo.translators as translators

    run = options.directory / system
    results.once(f"{system} training words a second", lambda: runs.training_speed(run))
    lexicon = run / "lexicon.tsv"
    if not lexicon.is_file():
        make_lexicon(options, run, lexicon)
    from tfnmt.text.lexicon import Lexicon

    plain = translators.load(str(run))
    with_lexicon = plain.with_lexicon(Lexicon.load(lexicon))
    for name in CORPORA:
        text = [lines(found(f"{name}.en-de/test.{side}"), options.sentences) for side in LANGUAGES]
        results.once(f"{system} {name} vocabulary", lambda: plain.target_tokenizer.vocabulary_size)
        results.once(f"{system} {name} all words", partial(written, with_lexicon, *text))
        for translations in () if system.startswith("shortlist") else K_OF_SOURCE_WORDS:
            listed = with_lexicon.with_candidates(options.common, translations)
            results.once(f"{system} {name} K' {translations}", partial(written, listed, *text))


def written(translator: Any, sources: list[str], references: list[str]) -> dict[str, float]:
    """BLEU as it is and with unknown words replaced, the share of unknown words, words a second."""
    from tfnmt.evaluation.metrics import UNKNOWN, bleu_detokenized

    bare = translator.without_replacement()
    bare.translate(sources[:2])  # traces
    start = time.perf_counter()
    plain = bare.translate(sources)
    seconds = time.perf_counter() - start
    words = sum(len(line.split()) for line in plain)
    replaced = list(plain)
    lacking = [number for number, line in enumerate(plain) if UNKNOWN in line]
    for number, line in zip(lacking, translator.translate([sources[number] for number in lacking]), strict=True):
        replaced[number] = line
    return {
        "bleu": bleu_detokenized(plain, references).value,
        "bleu_replaced": bleu_detokenized(replaced, references).value,
        "unknown": sum(line.count(UNKNOWN) for line in plain) / max(words, 1),
        "words_a_second": words / seconds,
    }


def make_lexicon(options: argparse.Namespace, run: Path, path: Path) -> None:
    """Of the model's own alignments of the first training pairs of both corpora."""
    sides = [run / f"lexicon.{side}" for side in LANGUAGES]
    for side, file in zip(LANGUAGES, sides, strict=True):
        text = [line for name in CORPORA for line in lines(found(f"{name}.en-de/train.{side}"), options.pairs // 2)]
        file.write_text("".join(f"{line}\n" for line in text), encoding="utf-8")
    source, target = map(str, sides)
    runs.tfnmt("lexicon", str(run), "--source", source, "--target", target, "--output", str(path))


def show(options: argparse.Namespace, results: runs.Findings) -> None:
    """The tables, in Markdown."""
    print("| system | target words | test set | BLEU | replaced | unknown | decoding words/s | training words/s |")
    print("| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |")
    for system in options.systems:
        for name in CORPORA:
            row = results.get(f"{system} {name} all words")
            size, speed = results.get(f"{system} {name} vocabulary"), results.get(f"{system} training words a second")
            print(
                f"| {system} | {size:,} | {name} | {row['bleu']:.2f} | {row['bleu_replaced']:.2f} | "
                f"{row['unknown']:.1%} | {row['words_a_second']:.0f} | {speed:.0f} |"
            )
    print(f"\n| system, K = {options.common:,} | test set | K' | BLEU | replaced | unknown | decoding words/s |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for system in options.systems:
        for name in CORPORA:
            for translations in K_OF_SOURCE_WORDS:
                row = results.get(f"{system} {name} K' {translations}")
                if row is not None:
                    print(
                        f"| {system} | {name} | {translations} | {row['bleu']:.2f} | {row['bleu_replaced']:.2f} | "
                        f"{row['unknown']:.1%} | {row['words_a_second']:.0f} |"
                    )


def draw(options: argparse.Namespace, results: runs.Findings) -> None:
    """BLEU against K' of the systems with every word, as it is and with unknown words replaced."""
    from tfnmt.evaluation.pictures import learning_curves

    curves = {}
    for system in options.systems:
        for name in CORPORA:
            rows = {
                translations: row
                for translations in K_OF_SOURCE_WORDS
                if (row := results.get(f"{system} {name} K' {translations}")) is not None
            }
            for figure, title in (("bleu", ""), ("bleu_replaced", ", unknown words replaced")) if rows else ():
                curves[f"{system}, {name}{title}"] = (list(rows), [row[figure] for row in rows.values()])
    picture = learning_curves(
        curves,
        across="K', translations of each source word",
        up="BLEU",
        title=f"Candidate lists, K = {options.common:,}",
    )
    options.plot.parent.mkdir(parents=True, exist_ok=True)
    picture.savefig(options.plot, dpi=150)


if __name__ == "__main__":
    main()
