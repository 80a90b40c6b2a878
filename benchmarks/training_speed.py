"""Real target words a second of RNNsearch's training step on this machine.

    python -m benchmarks.training_speed    # on Multi30k English-German if it is found, else on generated text
    python -m benchmarks.training_speed --precision mixed_bfloat16 --embedding 256 --units 512

Words are real ones: padding and end symbols are not counted. Each figure is the median over rounds of one stretch of
length-sorted batches, after a first round that compiles.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import tensorflow as tf

from benchmarks.corpora import MULTI30K
from tfnmt.corpora import builtin
from tfnmt.corpora.batches import Batches
from tfnmt.corpora.encoded_corpus import EncodedCorpus, LengthLimits
from tfnmt.corpora.parallel_text import ParallelText
from tfnmt.corpora.sentence_pairs import SentencePairs
from tfnmt.layers.additive_score import AdditiveScore
from tfnmt.layers.global_attention import GlobalAttention
from tfnmt.layers.maxout_readout import MaxoutReadout
from tfnmt.layers.softmax_output import SoftmaxOutput
from tfnmt.models.bahdanau_decoder import BahdanauDecoder
from tfnmt.models.encoder_decoder import EncoderDecoder
from tfnmt.models.gated_encoder import BidirectionalEncoder
from tfnmt.processors import processors, threads_of_an_operation
from tfnmt.text.word import WordTokenizer
from tfnmt.training.lanes import lanes
from tfnmt.training.optimizers import Adam
from tfnmt.training.step import TrainingStep
from tfnmt.training.stream import training_stream


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedding", type=int, default=256)
    parser.add_argument("--units", type=int, default=512)
    parser.add_argument("--vocabulary", type=int, default=10_000, help="limit of both sides")
    parser.add_argument("--minimum-count", type=int, default=2, help="2 gives 7,859 German words on Multi30k")
    parser.add_argument("--batch-size", type=int, default=80)
    parser.add_argument("--batches", type=int, default=20, help="of a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--precision", default="float32", choices=["float32", "mixed_bfloat16"])
    parser.add_argument("--lanes", type=int, help="parts of a batch worked on at once  [default: as in training]")
    parser.add_argument("--deterministic", action="store_true", help="with TensorFlow's op determinism")
    options = parser.parse_args()

    parts = options.lanes or lanes(options.batch_size)
    threads_of_an_operation(processors() // parts)
    keras.utils.set_random_seed(1)
    keras.config.set_dtype_policy(options.precision)
    if options.deterministic:
        tf.config.experimental.enable_op_determinism()

    with tempfile.TemporaryDirectory() as directory:
        corpus = _corpus(Path(directory), options.vocabulary, options.minimum_count)
        stream = training_stream(Batches(corpus[0], batch_size=options.batch_size, seed=1))
        batches = [next(stream) for _ in range(options.batches)]
    words = sum(batch.target_words for batch in batches)
    print(
        f"source {corpus[1]:,} and target {corpus[2]:,} words; {options.batches} batches of {options.batch_size}: "
        f"{words:,} target words, {sum(b.padding_share for b in batches) / len(batches):.1%} padding"
    )

    network = _network(options.embedding, options.units, corpus[1], corpus[2])
    network.build()
    optimizer = Adam(1e-3)
    optimizer.build(network.trainable_variables)
    step = TrainingStep(tf.distribute.get_strategy(), network, optimizer, clip_norm=1.0, lanes=parts)

    speeds = []
    for round_number in range(options.rounds + 1):
        start = time.perf_counter()
        for batch in batches:
            result = step(batch.source_ids, batch.target_ids)
            float(result.loss)
        seconds = time.perf_counter() - start
        if round_number:
            speeds.append(words / seconds)
        print(f"round {round_number}: {words / seconds:,.0f} words/s" + ("" if round_number else " (compiles)"))
    print(f"{options.precision}: {statistics.median(speeds):,.0f} real target words a second")


def _corpus(directory: Path, vocabulary: int, minimum_count: int) -> tuple[EncodedCorpus, int, int]:
    """The encoded pairs and the sizes of both vocabularies."""
    pairs: SentencePairs
    files = MULTI30K / "train.en.gz", MULTI30K / "train.de.gz"
    pairs = ParallelText(*files) if MULTI30K.is_dir() else builtin.pairs("train", "de")
    source, target = WordTokenizer(language="en"), WordTokenizer(language="de")
    source.learn(pairs.sources(), size=vocabulary, minimum_count=minimum_count)
    target.learn(pairs.targets(), size=vocabulary, minimum_count=minimum_count)
    corpus, _ = EncodedCorpus.build(pairs, source, target, LengthLimits(50, 50), directory)
    return corpus, source.vocabulary_size, target.vocabulary_size


def _network(embedding: int, units: int, source_size: int, target_size: int) -> EncoderDecoder:
    return EncoderDecoder(
        BidirectionalEncoder(source_size, embedding, units),
        BahdanauDecoder(
            target_size, embedding, units, GlobalAttention(AdditiveScore(units)), MaxoutReadout(units // 2)
        ),
        SoftmaxOutput(target_size),
    )


if __name__ == "__main__":
    main()
