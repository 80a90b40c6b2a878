"""Source words a second of encoding on this machine: convolutions and self-attention beside the bidirectional RNN.

    python -m benchmarks.encoder_speed                       # sentences of about 20 words, batch 80, and one by one
    python -m benchmarks.encoder_speed --words 40 --batches 1 16 --units 1000

All encoders read the same batches with weights as drawn; the RNN is RNNsearch's bidirectional gated encoder, the
convolutional encoders have the sizes of Gehring et al. (2016), the Transformer those of Vaswani et al. (2017). The
encoders take turns in each round, so that a busy machine slows all of them; a figure is the median over rounds, after
a first one that compiles, and the ratio that of the medians of the same run.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np
import tensorflow as tf

from tfnmt.models.convolutional_encoder import ConvolutionalEncoder
from tfnmt.models.encoder import Encoder
from tfnmt.models.gated_encoder import BidirectionalEncoder
from tfnmt.models.pooling_encoder import PoolingEncoder
from tfnmt.models.transformer_encoder import TransformerEncoder

VOCABULARY = 30_000
IDS = tf.TensorSpec([None, None], tf.int32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, default=20, help="of a sentence, on average")
    parser.add_argument("--batches", type=int, nargs="+", default=[80, 1], help="sentences of a batch")
    parser.add_argument("--units", type=int, default=512, help="of the RNN, in each direction")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()

    keras.utils.set_random_seed(1)
    encoders: dict[str, Callable[[], Encoder]] = {
        "bidirectional RNN": lambda: BidirectionalEncoder(VOCABULARY, 256, options.units),
        "pooling": lambda: PoolingEncoder(VOCABULARY),
        "convolutional 1/1": lambda: ConvolutionalEncoder(VOCABULARY, score_layers=1, value_layers=1),
        "convolutional 6/3": lambda: ConvolutionalEncoder(VOCABULARY, score_layers=6, value_layers=3),
        "convolutional 15/5": lambda: ConvolutionalEncoder(VOCABULARY, score_layers=15, value_layers=5),
        "Transformer base": lambda: TransformerEncoder(VOCABULARY),
    }
    functions = {name: _compiled(make()) for name, make in encoders.items()}
    print("| encoder | sentences a batch | words a second | times the RNN |\n| --- | ---: | ---: | ---: |")
    for batch in options.batches:
        ids, words = _sentences(batch, options.words)
        seconds: dict[str, list[float]] = {name: [] for name in functions}
        for _ in range(options.rounds + 1):
            for name, function in functions.items():
                start = time.perf_counter()
                function(ids)
                seconds[name].append(time.perf_counter() - start)
        medians = {name: statistics.median(times[1:]) for name, times in seconds.items()}
        for name, median in medians.items():
            print(f"| {name} | {batch} | {words / median:,.0f} | {medians['bidirectional RNN'] / median:.2f} |")


def _compiled(encoder: Encoder) -> Callable[[np.ndarray], float]:
    """Encodes and waits for the end: the sum needs all of it."""
    encoder.build()

    def encode(ids: tf.Tensor) -> tf.Tensor:
        memory = encoder(ids)
        return tf.reduce_sum(memory.annotations) + tf.reduce_sum(memory.scored_annotations)

    function = tf.function(encode, input_signature=[IDS], autograph=False)
    return lambda ids: float(function(ids))


def _sentences(number: int, words: int) -> tuple[np.ndarray, int]:
    """A batch as training sorts it, all of about one length: ids `[number, source]`, and how many words they are."""
    random = np.random.default_rng(1)
    lengths = np.clip(random.normal(words, 1.0, number).round(), 1, None).astype(int)
    ids = random.integers(4, VOCABULARY, [number, lengths.max()], dtype=np.int32)
    ids[np.arange(lengths.max()) >= lengths[:, None]] = 0
    return ids, int(lengths.sum())


if __name__ == "__main__":
    main()
