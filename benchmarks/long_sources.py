"""Seconds a source word of translating long sentences: what grows faster than the sentence is seen here.

    python -m benchmarks.long_sources                       # 50 to 5,000 words, RNNsearch at units 512
    python -m benchmarks.long_sources --beam 1 --lengths 50 500

One sentence a batch, weights drawn at random, the end symbol out of reach: n source words give n target words.
Encoding is linear in n. A step of global attention looks at all n annotations, so what it takes of a step grows with n,
as the model demands (Bahdanau et al. 2015: "T_x * T_y" scores a sentence pair); everything else must not. The rows keep
the two apart: the same search with global attention, with attention to a window of 21 words, and with the encoder's
last state instead (`FixedContext`).
"""

from __future__ import annotations

import argparse
import os
import time

from benchmarks import history


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lengths", type=int, nargs="+", default=[50, 500, 5000])
    parser.add_argument("--beam", type=int, default=5)
    parser.add_argument("--units", type=int, default=512)
    parser.add_argument("--vocabulary", type=int, default=7859)
    options = parser.parse_args()

    from benchmarks.decoding_speed import random_translator
    from tfnmt.layers.additive_score import AdditiveScore
    from tfnmt.layers.fixed_context import FixedContext
    from tfnmt.layers.global_attention import GlobalAttention
    from tfnmt.layers.local_attention import LocalAttention
    from tfnmt.layers.window import PredictiveWindow

    figures: dict[str, float] = {}
    print(f"milliseconds a source word, beam {options.beam}")
    print("| context | " + " | ".join(f"{length:,} words" for length in options.lengths) + " |")
    print("| --- |" + " ---: |" * len(options.lengths))
    attentions = {
        "global attention": GlobalAttention(AdditiveScore(options.units)),
        "local attention": LocalAttention(AdditiveScore(options.units), PredictiveWindow(options.units)),
        "fixed": FixedContext(),
    }
    for name, attention in attentions.items():
        translator = random_translator(256, options.units, options.vocabulary, attention)
        word = translator.source_tokenizer.vocabulary.entries[0]
        translator.translate([word], beam_size=options.beam)
        times = []
        for length in options.lengths:
            sentence = " ".join([word] * length)
            best = float("inf")
            for _ in range(3 if length <= 500 else 1):
                start = time.perf_counter()
                translator.translate([sentence], beam_size=options.beam)
                best = min(best, time.perf_counter() - start)
            times.append(1e3 * best / length)
            figures[f"{name}, {length} words, ms"] = times[-1]
        print(f"| {name} | " + " | ".join(f"{milliseconds:.2f}" for milliseconds in times) + " |")
    history.record("long_sources", figures)


if __name__ == "__main__":
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    main()
