"""RNNsearch beside Joey NMT on the same words: training and decoding, words a second and quality, in one run.

    python -m benchmarks.peers                           # some 40 minutes on two idle cores; writes docs/peers.json
    python -m benchmarks.peers --updates 150 --every 15  # a quick look; both translate badly then

Multi30k English-German, word vocabularies of at most 10,000, embedding 256, units 512, batches of 80, Adam 1e-3,
clipping at 1. Both train the same number of updates through their own commands (`tfnmt train`, `joeynmt train`), then
translate test_2016_flickr. Words are real target words: neither padding nor end symbols. The floating-point operations
that a word needs are counted from the sizes (`Costs`), and set beside the rate of a large float32 product of the same
minute.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks import history, runs
from benchmarks.corpora import MULTI30K, REPOSITORY, found, lines
from benchmarks.joey_nmt import JoeyNMT, Sizes, Words
from benchmarks.rnnsearch_costs import Costs
from tfnmt.processors import processors
from tfnmt.zoo.verb import load_tensorflow

TEST_SET = "test_2016_flickr"
READOUT = 256
"""Features of the read-out and of the projection behind it, in `rnnsearch_peer.toml`."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--updates", type=int, default=726, help="of each system; 363 are an epoch")
    parser.add_argument("--every", type=int, default=33, help="updates in each stretch that is timed")
    parser.add_argument("--beams", type=int, nargs="+", default=[1, 5])
    parser.add_argument("--directory", type=Path, default=Path("runs/peers"), help="for everything that is written")
    parser.add_argument("--output", type=Path, default=REPOSITORY / "docs" / "peers.json")
    options = parser.parse_args()

    directory = options.directory.resolve()
    words = words_of(directory / "text")
    costs = Costs(Sizes(), READOUT, words.vocabulary_sizes["de"], *_mean_lengths(words, "train"))
    joey = JoeyNMT(directory / "joey-environment", directory / "joey", words, Sizes(), threads=os.cpu_count() or 1)

    rows: dict[str, dict[str, Any]] = {}
    before = _product_rate()
    speeds, perplexity = joey.train(options.updates, options.every)
    share = costs.target_words / (costs.target_words + 1)  # Joey counts the end symbol of each sentence
    rows["Joey NMT, float32"] = {"training": statistics.median(speeds[1:] or speeds) * share, "perplexity": perplexity}
    for precision in ("float32", "mixed_bfloat16"):
        rows[f"tfnmt, {precision}"] = _train(directory, precision, options.updates)
    after = _product_rate()

    for beam_size in options.beams:
        translations, seconds = joey.translate(TEST_SET, beam_size)
        rows["Joey NMT, float32"][f"beam {beam_size}"] = quality(words, translations, seconds)
        for precision in ("float32", "mixed_bfloat16"):
            rows[f"tfnmt, {precision}"][f"beam {beam_size}"] = _translate(directory, words, precision, beam_size)

    report = {
        "updates": options.updates,
        "product_gigaflops": [before, after],
        "megaflops_a_word": costs.training / 1e6,
        "systems": rows,
    }
    options.output.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    _print(report, options.beams)
    theirs = rows["Joey NMT, float32"]["training"]
    ours = {system: row["training"] for system, row in rows.items() if system.startswith("tfnmt")}
    history.record("peers", {f"{system}, training, times Joey NMT": rate / theirs for system, rate in ours.items()})


def words_of(directory: Path) -> Words:
    """The text of both, tokenized and with the same vocabularies."""
    load_tensorflow()
    from tfnmt.text.word import WordTokenizer

    directory.mkdir(parents=True, exist_ok=True)
    vocabularies = {}
    for language in ("en", "de"):
        tokenizer = WordTokenizer(language=language)
        for name in ("train", "valid", TEST_SET):
            text = lines(found(f"multi30k/{name}.{language}"))
            if name == "train":
                tokenizer.learn(text, size=10_000, minimum_count=2)
                vocabularies[language] = tokenizer.vocabulary.entries
            rows = tokenizer.split(text).to_list()
            words = "".join(f"{b' '.join(row).decode()}\n" for row in rows)
            (directory / f"{name}.{language}").write_text(words, encoding="utf-8")
    return Words(directory, vocabularies)


def _mean_lengths(words: Words, name: str) -> Iterator[float]:
    for language in ("en", "de"):
        yield statistics.mean(len(line.split()) for line in lines(words.directory / f"{name}.{language}"))


def _train(directory: Path, precision: str, updates: int) -> dict[str, Any]:
    """Trains by the real command; words a second by the clock, the validation left out."""
    run = directory / precision
    settings = {"steps": updates, "validation_steps": updates, "precision": precision}
    runs.train(
        str(Path(__file__).with_name("rnnsearch_peer.toml")), run,
        *runs.texts(("en", "de"), {split: [f"multi30k/{split}"] for split in ("train", "valid")}),
        settings=[f"training.{key}={value}" for key, value in settings.items()],
    )  # fmt: skip
    validation = runs.figures(run, "validation")[0]
    return {"training": runs.training_speed(run), "perplexity": math.exp(validation["loss"])}


def _translate(directory: Path, words: Words, precision: str, beam_size: int) -> dict[str, float]:
    """The second pass over the test set, in this process, tokenization included."""
    import keras

    import tfnmt  # noqa: F401  (registers the classes)

    translator = keras.saving.load_model(directory / precision / "translator.keras")
    sentences = lines(MULTI30K / f"{TEST_SET}.en")
    return quality(words, *second_pass(translator, sentences, beam_size))


def second_pass(translator: Any, sentences: list[str], beam_size: int) -> tuple[list[str], float]:
    """Tokenized translations of the sentences, and the seconds that they take when they were translated before."""
    translator.translate(sentences, beam_size=beam_size)
    start = time.perf_counter()
    translations = translator.translate(sentences, beam_size=beam_size)
    seconds = time.perf_counter() - start
    return [b" ".join(row).decode() for row in translator.target_tokenizer.split(translations).to_list()], seconds


def quality(words: Words, tokenized: list[str], seconds: float, text: str = TEST_SET) -> dict[str, float]:
    from sacrebleu.metrics import BLEU

    references = lines(words.directory / f"{text}.de")
    bleu = BLEU(lowercase=True, tokenize="none", force=True).corpus_score(tokenized, [references]).score
    count = sum(len(line.split()) for line in tokenized)
    speeds = {"words_per_second": count / seconds, "sentences_per_second": len(tokenized) / seconds}
    return {**speeds, "words": count, "bleu": bleu}


def _product_rate() -> float:
    """GFLOP/s of float32 matrix products of 2,048 x 2,048 x 2,048, one on each processor; best of some."""
    import tensorflow as tf

    left, right = tf.random.normal([2048, 2048]), tf.random.normal([2048, 2048])
    best = float("inf")
    with ThreadPoolExecutor(processors()) as threads:
        for _ in range(20):
            start = time.perf_counter()
            list(threads.map(lambda _: tf.linalg.matmul(left, right).numpy(), range(processors())))
            best = min(best, time.perf_counter() - start)
    return processors() * 2 * 2048**3 / best / 1e9


def _print(report: dict[str, Any], beams: list[int]) -> None:
    peer = report["systems"]["Joey NMT, float32"]
    rate = statistics.mean(report["product_gigaflops"])
    print(f"float32 products: {rate:,.0f} GFLOP/s; a target word of RNNsearch: {report['megaflops_a_word']:.1f} MFLOP")
    heads = ["system", "training words/s", "ratio", "of the product rate", "valid. perplexity"]
    for beam_size in beams:
        heads += [f"beam {beam_size} words/s", "ratio", "BLEU (lc, tok.)"]
    print("| " + " | ".join(heads) + " |\n|" + " --- |" * len(heads))
    for name, row in report["systems"].items():
        share = row["training"] * report["megaflops_a_word"] / rate / 1e3
        cells = [
            name, f"{row['training']:,.0f}", f"{row['training'] / peer['training']:.2f}",
            f"{share:.0%}" if name.startswith("tfnmt") else "", f"{row['perplexity']:.2f}",
        ]  # fmt: skip
        for beam_size in beams:
            ours, theirs = row[f"beam {beam_size}"], peer[f"beam {beam_size}"]
            ratio = ours["words_per_second"] / theirs["words_per_second"]
            cells += [f"{ours['words_per_second']:,.0f}", f"{ratio:.2f}", f"{ours['bleu']:.2f}"]
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
