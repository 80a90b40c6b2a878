"""Time of beam search a word: all words, and candidate lists, at several vocabulary sizes.

    python -m benchmarks.candidate_decoding_speed                                      # small width
    python -m benchmarks.candidate_decoding_speed --embedding 620 --units 1000 --sentences 4

RNNsearch with random weights; every translation is made as long as its source, so that all rows of the table write the
same number of words. Each source word has K' translations drawn at random. The time is that of the fastest round after
the first, which compiles, divided by the words of all best translations.
"""

from __future__ import annotations

import argparse
import os
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np
import tensorflow as tf

from tfnmt.decoding.beam_search import BeamSearch
from tfnmt.decoding.candidate_list import CandidateList
from tfnmt.layers.additive_score import AdditiveScore
from tfnmt.layers.global_attention import GlobalAttention
from tfnmt.layers.maxout_readout import MaxoutReadout
from tfnmt.layers.softmax_output import SoftmaxOutput
from tfnmt.models.bahdanau_decoder import BahdanauDecoder
from tfnmt.models.encoder_decoder import EncoderDecoder
from tfnmt.models.gated_encoder import BidirectionalEncoder

SOURCE_WORDS = 10_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, nargs="+", default=[30_000, 500_000])
    parser.add_argument("--common", type=int, default=30_000, help="K")
    parser.add_argument("--translations", type=int, default=10, help="K'")
    parser.add_argument("--embedding", type=int, default=128)
    parser.add_argument("--units", type=int, default=192)
    parser.add_argument("--beam-size", type=int, default=12)
    parser.add_argument("--sentences", type=int, default=8)
    parser.add_argument("--length", type=int, default=15)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--precision", default="float32", choices=["float32", "mixed_bfloat16"])
    options = parser.parse_args()
    keras.config.set_dtype_policy(options.precision)

    print(
        f"embedding {options.embedding}, units {options.units}, beam {options.beam_size}, "
        f"{options.sentences} sentences of {options.length} words, K {options.common:,}, K' {options.translations}\n\n"
        "| target words | all words: ms a word | candidate lists: ms a word |\n| ---: | ---: | ---: |"
    )
    random = np.random.default_rng(1)
    source_ids = random.integers(4, SOURCE_WORDS, [options.sentences, options.length]).astype(np.int32)
    for words in options.words:
        network = made(options, words)
        lists = CandidateList(min(options.common, words), options.translations, SOURCE_WORDS)
        lists.table.assign(random.integers(4, words, lists.table.shape).astype(np.int32))
        times = [milliseconds(options, network, source_ids, given) for given in (None, lists)]
        print(f"| {words:,} | {times[0]:.2f} | {times[1]:.2f} |", flush=True)
        keras.backend.clear_session()


def made(options: argparse.Namespace, words: int) -> EncoderDecoder:
    """A network with random weights."""
    keras.utils.set_random_seed(1)
    network = EncoderDecoder(
        BidirectionalEncoder(SOURCE_WORDS, options.embedding, options.units),
        BahdanauDecoder(
            words,
            options.embedding,
            options.units,
            GlobalAttention(AdditiveScore(options.units)),
            MaxoutReadout(options.units // 2, projection=options.embedding),
        ),
        SoftmaxOutput(words),
    )
    network.build()
    return network


def milliseconds(
    options: argparse.Namespace, network: EncoderDecoder, source_ids: np.ndarray, lists: CandidateList | None
) -> float:
    """Of a word of a translation."""
    search = BeamSearch(maximum_length_factor=1.0, maximum_length_constant=0, minimum_length_factor=1.0)

    @tf.function(autograph=False)
    def translate(ids: tf.Tensor) -> tf.Tensor:
        return search(network, ids, options.beam_size, 1, candidates=None if lists is None else lists(ids)).lengths

    seconds = []
    for _ in range(options.rounds + 1):
        start = time.perf_counter()
        lengths = translate(source_ids).numpy()
        seconds.append(time.perf_counter() - start)
    return 1000 * min(seconds[1:]) / int(lengths.sum())


if __name__ == "__main__":
    main()
