"""Words a second of translating raw sentences on this machine, greedily and with a beam.

    python -m benchmarks.decoding_speed                      # units 512, embedding 256, 7,859 words a side
    python -m benchmarks.decoding_speed --sentences 100 --beams 1 5 10 --precision mixed_bfloat16

The weights are random and the end symbol is out of reach, so that each sentence of n words costs exactly n + 1 steps of
a full beam, whatever the numbers: a figure to follow through the history of the code, tokenization included. Real
models end earlier in some places of the beam and are faster. Each figure is the median over rounds, after a first one
that compiles; processor seconds are given beside it, since they suffer less from a busy machine.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np

from benchmarks import history
from tfnmt.decoding.beam_search import BeamSearch
from tfnmt.decoding.translator import Translator
from tfnmt.layers.additive_score import AdditiveScore
from tfnmt.layers.global_attention import GlobalAttention
from tfnmt.layers.maxout_readout import MaxoutReadout
from tfnmt.layers.softmax_output import SoftmaxOutput
from tfnmt.models.bahdanau_decoder import BahdanauDecoder
from tfnmt.models.encoder_decoder import EncoderDecoder
from tfnmt.models.gated_encoder import BidirectionalEncoder
from tfnmt.text.vocabulary import END, Vocabulary
from tfnmt.text.word import WordTokenizer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedding", type=int, default=256)
    parser.add_argument("--units", type=int, default=512)
    parser.add_argument("--vocabulary", type=int, default=7859, help="of both sides, control symbols included")
    parser.add_argument("--sentences", type=int, default=400, help="of about 12 words, as in Multi30k")
    parser.add_argument("--beams", type=int, nargs="+", default=[1, 5])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--precision", default="float32", choices=["float32", "mixed_bfloat16"])
    options = parser.parse_args()

    keras.utils.set_random_seed(1)
    keras.config.set_dtype_policy(options.precision)
    translator = random_translator(options.embedding, options.units, options.vocabulary)
    sentences = _sentences(translator, options.sentences)
    words = sum(len(sentence.split()) for sentence in sentences)
    print(f"{len(sentences)} sentences, {words:,} words")
    figures: dict[str, float] = {}
    for beam_size in options.beams:
        seconds, processor = [], []
        for _ in range(options.rounds + 1):
            start, start_processor = time.perf_counter(), time.process_time()
            translator.translate(sentences, beam_size=beam_size)
            seconds.append(time.perf_counter() - start)
            processor.append(time.process_time() - start_processor)
        median, median_processor = statistics.median(seconds[1:]), statistics.median(processor[1:])
        figures[f"beam {beam_size}, {options.precision}, words/s"] = words / median
        print(
            f"beam {beam_size}: {words / median:,.0f} words/s (median of {options.rounds} rounds, fastest "
            f"{words / min(seconds[1:]):,.0f}), {median_processor / words * 1e3:.2f} processor ms a word"
        )
    history.record("decoding_speed", figures)


def random_translator(
    embedding: int, units: int, vocabulary: int, attention: keras.layers.Layer | None = None
) -> Translator:
    """RNNsearch with random weights and an end symbol out of reach: a translation has as many words as its source."""
    attention = attention or GlobalAttention(AdditiveScore(units))
    decoder = BahdanauDecoder(vocabulary, embedding, units, attention=attention, readout=MaxoutReadout(units // 2))
    encoder = BidirectionalEncoder(vocabulary, embedding, units)
    network = EncoderDecoder(encoder, decoder, SoftmaxOutput(vocabulary))
    network.build()
    bias = network.output_layer.bias.numpy()
    bias[END] = -1e4
    network.output_layer.bias.assign(bias)
    tokenizers = WordTokenizer(language="en"), WordTokenizer(language="de")
    for tokenizer in tokenizers:
        tokenizer.use(Vocabulary(f"w{number}" for number in range(vocabulary - 4)))
    search = BeamSearch(maximum_length_factor=1.0, maximum_length_constant=0)
    return Translator(*tokenizers, network, search)


def _sentences(translator: Translator, number: int) -> list[str]:
    random = np.random.default_rng(1)
    lengths = np.clip(random.normal(12, 4, number).round(), 3, 40).astype(int)
    entries = translator.source_tokenizer.vocabulary.entries
    return [" ".join(random.choice(entries, length)) for length in lengths]


if __name__ == "__main__":
    main()
