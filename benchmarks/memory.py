"""Whether memory stays flat: what one process holds over training steps and over translation requests.

    python -m benchmarks.memory training --plot docs/memory_training.png    # 10,000 steps
    python -m benchmarks.memory requests --plot docs/memory_requests.png    # 100,000 requests

A tiny RNNsearch, batches and sentences of ever new lengths, so that anything kept by shape would grow. What counts is
the memory that the process has written (`RssAnon` of `/proc/self/status`, and what of it was swapped out); the pages of
TensorFlow's own files, which the system takes back whenever it likes, are drawn beside it. The slope is fitted over the
second half, after the caches of allocators have filled.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np

from tests.decoding.tiny import ENGLISH, tiny_network, tiny_translator

SIZE = 40


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["training", "requests"])
    parser.add_argument("--count", type=int, help="steps or requests  [default: 10,000 or 100,000]")
    parser.add_argument("--plot", metavar="PNG")
    options = parser.parse_args()
    kinds = {"training": (steps, 10_000, "steps"), "requests": (requests, 100_000, "requests")}
    work, count, unit = kinds[options.what]
    count = options.count or count
    points: list[tuple[int, float, float]] = []

    def note(number: int) -> None:
        if number % max(1, count // 200) == 0:
            points.append((number, *megabytes()))

    work(count, note)
    numbers, own, files = map(np.array, zip(*points, strict=True))
    half = len(points) // 2
    slope = np.polyfit(numbers[half:], own[half:], 1)[0]
    print(
        f"{count:,} {unit}: {own[0]:.1f} MB at first, {own[half]:.1f} MB at half, {own[-1]:.1f} MB at last; "
        f"{1000 * slope:+.4f} MB a thousand {unit} over the second half; pages of files beside it {files[0]:.1f} MB at "
        f"first, {files[-1]:.1f} MB at last"
    )
    if options.plot:
        plot(options.plot, numbers, own, files, unit)


def megabytes() -> tuple[float, float]:
    """What this process has written, and the pages of files that are in memory for it."""
    lines = (line.split() for line in Path("/proc/self/status").read_text().splitlines())
    kilobytes = {words[0]: int(words[1]) for words in lines if words[-1:] == ["kB"]}
    return (kilobytes["RssAnon:"] + kilobytes["VmSwap:"]) * 1.024e-3, kilobytes["RssFile:"] * 1.024e-3


def steps(count: int, note: Callable[[int], None]) -> None:
    """Training through the whole loop: batches of all lengths, validation and checkpoints now and then."""
    import tensorflow as tf

    from tests.training.stand_in import SmallBatch
    from tfnmt.training.budget import Budget
    from tfnmt.training.observer import Observer, StepReport
    from tfnmt.training.optimizers import Adam
    from tfnmt.training.trainer import Intervals, Trainer
    from tfnmt.training.validation import LikelihoodValidation

    class Endless:
        """Batches of random ids and lengths."""

        def epoch(self, number: int, start: int = 0) -> Iterator[SmallBatch]:
            draw = np.random.default_rng([number, start])
            for _ in range(start, 1000):
                rows, *lengths = (int(n) for n in draw.integers(1, [9, 13, 13]))
                source, target = (draw.integers(4, SIZE, [rows, length]).astype(np.int32) for length in lengths)
                yield SmallBatch(source, target, np.arange(rows))

        def count(self, epoch: int) -> int:
            return 1000

    class Counter(Observer):
        def stepped(self, report: StepReport) -> None:
            note(report.step)

    network, batches = tiny_network(SIZE, SIZE), Endless()
    held_out = [batch for _, batch in zip(range(3), batches.epoch(0), strict=False)]
    with tempfile.TemporaryDirectory() as directory:
        Trainer(
            network, Adam(1e-4), batches, directory, clip_norm=1.0, budget=Budget(steps=count),
            validations=[LikelihoodValidation(tf.distribute.get_strategy(), network, held_out)],
            intervals=Intervals(validate_every=200, save_every=200), observers=[Counter()],
        ).train()  # fmt: skip


def requests(count: int, note: Callable[[int], None]) -> None:
    """Requests of one to three sentences of one to twelve words, each answered as a server would.

    Answers are at most half as long, so that the 100,000 take minutes; one thread, since there is nothing to share.
    """
    import tensorflow as tf

    from tfnmt.decoding.beam_search import BeamSearch
    from tfnmt.decoding.translator import Translator

    tf.config.threading.set_inter_op_parallelism_threads(1)
    tf.config.threading.set_intra_op_parallelism_threads(1)
    draw = np.random.default_rng(1)
    words = np.array(" ".join(ENGLISH).split())
    tiny = tiny_translator()
    search = BeamSearch(maximum_length_factor=0.5, maximum_length_constant=1)
    translator = Translator(tiny.source_tokenizer, tiny.target_tokenizer, tiny.network, search)
    for number in range(1, count + 1):
        rows = [" ".join(draw.choice(words, draw.integers(1, 13))) for _ in range(draw.integers(1, 4))]
        translator.translate_graph(tf.constant(rows), 1, 1).texts.numpy()
        note(number)


def plot(path: str, numbers: np.ndarray, own: np.ndarray, files: np.ndarray, unit: str) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 3))
    axes.plot(numbers, own, label="written by the process")
    axes.plot(numbers, files, label="pages of files")
    axes.set(xlabel=unit, ylabel="memory, MB", ylim=(0, 1.2 * max(own.max(), files.max())))
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=100)


if __name__ == "__main__":
    main()
