"""Milliseconds a word of global and of local attention, in search and in training, for short and very long sources.

    python -m benchmarks.attention_speed                     # sources of 50, 500 and 5,000 words
    python -m benchmarks.attention_speed --units 256 --sentences 1 --words 50 20000

Of the decoder of Luong et al. (2015) with input feeding, attention and the attentional state, without the encoder and
the output layer: a step of a search, and a word of teacher forcing with the gradients of all weights and annotations.
Local attention looks at 21 words wherever they are, so its step of a search must not take longer in a longer source;
in training the keys of the whole source and the sums of its gradients do grow. Prints a Markdown table each: the
fastest of many runs, since other work on the machine can only slow one down, and each row's time at the longest source
in times of that at the shortest. The weights are random; what they are plays no part.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import tensorflow as tf

from tfnmt.layers.attention import Attention
from tfnmt.layers.dot_score import DotScore
from tfnmt.layers.general_score import GeneralScore
from tfnmt.layers.global_attention import GlobalAttention
from tfnmt.layers.local_attention import LocalAttention
from tfnmt.layers.window import MonotonicWindow, PredictiveWindow
from tfnmt.models.luong_decoder import LuongDecoder
from tfnmt.models.memory import Memory

VOCABULARY = 1000
ATTENTIONS: dict[str, Callable[[int], Attention | None]] = {
    "none": lambda units: None,
    "global (dot)": lambda units: GlobalAttention(DotScore()),
    "global (general)": lambda units: GlobalAttention(GeneralScore()),
    "local-m (general)": lambda units: LocalAttention(GeneralScore(), MonotonicWindow()),
    "local-p (general)": lambda units: LocalAttention(GeneralScore(), PredictiveWindow(units)),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--units", type=int, default=512)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--sentences", type=int, default=8)
    parser.add_argument("--hypotheses", type=int, default=5, help="of each sentence, as in a beam")
    parser.add_argument("--words", type=int, nargs="+", default=[50, 500, 5000])
    parser.add_argument("--targets", type=int, default=20, help="words of a translation in training")
    parser.add_argument("--runs", type=int, default=100, help="of a search's step; a tenth of it in training")
    options = parser.parse_args()

    keras.utils.set_random_seed(1)
    print(
        f"{options.layers} layers of {options.units} units, {options.sentences} sentences; milliseconds a word, the "
        f"fastest of {options.runs} steps of a search with {options.hypotheses} hypotheses each, or of "
        f"{options.runs // 10} trainings on {options.targets} words each"
    )
    _table("search", _search_time, options)
    _table("training", _training_time, options)


def _table(title: str, seconds_of: Callable[..., float], options: argparse.Namespace) -> None:
    print(f"\n| {title} | " + " | ".join(f"{words:,} words" for words in options.words) + " | longest / shortest |")
    print("| --- |" + " ---: |" * (len(options.words) + 1))
    for name, attention in ATTENTIONS.items():
        decoder = LuongDecoder(
            VOCABULARY, options.units, options.units, options.layers, attention(options.units), input_feeding=True
        )
        times = [seconds_of(decoder, _memory(decoder, words, options), options) for words in options.words]
        shown = " | ".join(f"{1000 * seconds:.2f}" for seconds in times)
        print(f"| {name} | {shown} | {times[-1] / times[0]:.2f} |", flush=True)


def _memory(decoder: LuongDecoder, words: int, options: argparse.Namespace) -> Memory:
    """Sources of so many words; builds the decoder for them."""
    units, sentences = options.units, options.sentences
    summary = tuple(
        (tf.random.normal([sentences, units]), tf.random.normal([sentences, units])) for _ in range(options.layers)
    )
    if not decoder.built:
        states = tuple(((None, units), (None, units)) for _ in range(options.layers))
        decoder.build((None, None), Memory((None, None, units), (None, None), states, (None,)))
    return Memory(
        annotations=tf.random.normal([sentences, words, units]),
        mask=tf.ones([sentences, words], tf.bool),
        summary=summary,
        words=tf.fill([sentences], words),
    )


def _search_time(decoder: LuongDecoder, memory: Memory, options: argparse.Namespace) -> float:
    """Seconds of one step."""
    memory = decoder.prepare(memory)
    state = decoder.initial_state(memory, options.hypotheses)
    # The number of the word decides where a monotonic window is: its middle is the source's.
    state = state._replace(number=tf.fill(tf.shape(state.number), tf.shape(memory.mask)[1] // 2))
    ids = tf.fill([options.sentences * options.hypotheses], 5)
    step = tf.function(decoder.step, reduce_retracing=False, autograph=False)
    return _fastest(lambda: step(ids, state, memory)[0].numpy(), options.runs)


def _training_time(decoder: LuongDecoder, memory: Memory, options: argparse.Namespace) -> float:
    """Seconds a word of teacher forcing, there and back."""
    ids = tf.fill([options.sentences, options.targets], 5)

    @tf.function(autograph=False)
    def train() -> tf.Tensor:
        with tf.GradientTape() as tape:
            tape.watch(memory.annotations)
            features, _ = decoder(ids, decoder.prepare(memory), training=True)
            total = tf.reduce_sum(tf.sin(features))
        sources = [memory.annotations, *(weight.value for weight in decoder.trainable_weights)]
        gradients = tape.gradient(total, sources, unconnected_gradients=tf.UnconnectedGradients.ZERO)
        return tf.add_n([tf.reduce_sum(gradient) for gradient in map(tf.convert_to_tensor, gradients)])

    return _fastest(lambda: train().numpy(), options.runs // 10) / options.targets


def _fastest(run: Callable[[], object], runs: int) -> float:
    seconds = []
    for _ in range(max(runs, 2)):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


if __name__ == "__main__":
    main()
