"""Time and memory of a training step against the number of target words, sampled and full softmax side by side.

    python -m benchmarks.sampled_softmax_speed                                     # 10K to 500K words, small width
    python -m benchmarks.sampled_softmax_speed --embedding 620 --units 1000 --batch-size 16 --full-up-to 30000

RNNsearch on generated text: target words follow Zipf's law over the whole vocabulary, the source side has 10,000
words. The sampled loss is over a part of the corpus with tau words, the optimizer is lazy Adadelta, the norm clipped.
Each cell is a process of its own, so that its memory is its own. Cells take turns, round by round; a time is the median
over the rounds of the median step of a round, without the first step, which compiles.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np

SOURCE_WORDS = 10_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, nargs="+", default=[10_000, 30_000, 100_000, 500_000])
    parser.add_argument("--tau", type=int, default=10_000, help="words of a part")
    parser.add_argument("--embedding", type=int, default=128)
    parser.add_argument("--units", type=int, default=192)
    parser.add_argument("--batch-size", type=int, default=40)
    parser.add_argument("--length", type=int, default=20, help="words of each sentence")
    parser.add_argument("--steps", type=int, default=20, help="of each process")
    parser.add_argument("--full-up-to", type=int, default=100_000, help="words the full softmax is tried with")
    parser.add_argument("--rounds", type=int, default=5, help="processes of each cell")
    parser.add_argument("--cell", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.cell:
        kind, words = options.cell.split(":")
        print(json.dumps(measured(options, kind, int(words))))
        return
    print(
        f"embedding {options.embedding}, units {options.units}, {options.batch_size} sentences of {options.length}, "
        f"tau {options.tau:,}\n"
    )
    limits = {"sampled": max(options.words), "full": options.full_up_to}
    cells = [(kind, words) for words in options.words for kind, limit in limits.items() if words <= limit]
    rounds = [{cell: in_a_process(*cell) for cell in cells} for _ in range(options.rounds)]
    medians = {
        cell: {figure: statistics.median(taken[cell][figure] for taken in rounds) for figure in rounds[0][cell]}
        for cell in cells
    }
    print(
        "| target words | sampled: s a step | of the first row | memory | full: s a step | of the first row | memory |"
    )
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for words in options.words:
        row = []
        for kind in limits:
            first, found = medians.get((kind, options.words[0])), medians.get((kind, words))
            row += [
                f"{found['seconds']:.3f} | {found['seconds'] / first['seconds']:.2f} | {found['gigabytes']:.2f} GB"
                if first and found
                else "- | - | -"
            ]
        print(f"| {words:,} | {' | '.join(row)} |")


def in_a_process(kind: str, words: int) -> dict[str, float]:
    """One cell in a process of its own."""
    command = [sys.executable, __file__, *sys.argv[1:], "--cell", f"{kind}:{words}"]
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[-1]
    return dict(json.loads(answer))


def measured(options: argparse.Namespace, kind: str, words: int) -> dict[str, float]:
    import tensorflow as tf

    from tfnmt.layers.additive_score import AdditiveScore
    from tfnmt.layers.global_attention import GlobalAttention
    from tfnmt.layers.maxout_readout import MaxoutReadout
    from tfnmt.layers.sampled_softmax_output import SampledSoftmaxOutput
    from tfnmt.layers.sampling import PartitionSampling
    from tfnmt.layers.softmax_output import SoftmaxOutput
    from tfnmt.models.bahdanau_decoder import BahdanauDecoder
    from tfnmt.models.encoder_decoder import EncoderDecoder
    from tfnmt.models.gated_encoder import BidirectionalEncoder
    from tfnmt.training.optimizers import Adadelta
    from tfnmt.training.step import TrainingStep

    keras.utils.set_random_seed(1)
    shape = [options.steps + 1, options.batch_size, options.length]
    random = np.random.default_rng(1)
    sources = zipf(random, SOURCE_WORDS, shape)
    targets = zipf(random, words, shape)
    sampling = PartitionSampling(options.tau)
    output = SampledSoftmaxOutput(words, sampling) if kind == "sampled" else SoftmaxOutput(words)
    size = options.embedding
    network = EncoderDecoder(
        BidirectionalEncoder(SOURCE_WORDS, size, options.units),
        BahdanauDecoder(
            words,
            size,
            options.units,
            GlobalAttention(AdditiveScore(options.units)),
            MaxoutReadout(options.units // 2, projection=size),
        ),
        output,
    )
    network.build()
    if kind == "sampled":
        sampling.use(part(random, targets, words, options.tau))
    optimizer = Adadelta(lazy=True)
    optimizer.build(network.trainable_variables)
    step = TrainingStep(tf.distribute.get_strategy(), network, optimizer, clip_norm=1.0)
    seconds = []
    for source_ids, target_ids in zip(sources, targets, strict=True):
        start = time.perf_counter()
        float(step(source_ids, target_ids).loss)
        seconds.append(time.perf_counter() - start)
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"seconds": statistics.median(seconds[1:]), "gigabytes": kilobytes / 1e6}


def zipf(random: np.random.Generator, words: int, shape: list[int]) -> np.ndarray:
    """Ids from 4 on, the word of rank r with a probability in proportion to 1 / r."""
    shares = 1.0 / np.arange(1, words - 3)
    sums = np.cumsum(shares / shares.sum())
    return (4 + np.searchsorted(sums, random.random(shape))).clip(4, words - 1).astype(np.int32)


def part(random: np.random.Generator, targets: np.ndarray, words: int, tau: int) -> np.ndarray:
    """`tau` distinct words, those of the batches among them, as a walk through the corpus collects them."""
    found = np.unique(targets)
    while len(found) < min(tau, words - 4):
        found = np.union1d(found, zipf(random, words, [tau // 4]))
    extra = np.setdiff1d(found, targets)[: max(0, tau - len(np.unique(targets)))]
    return np.union1d(targets, extra)


if __name__ == "__main__":
    main()
