"""Translating with RNNsearch beside Joey NMT, in turns: words a second, and what bfloat16 products lose.

    python -m benchmarks.peers                                  # trains both, once
    python -m benchmarks.decoding_peers --directory runs/peers  # some minutes on two idle cores

Both translate test_2016_flickr with the models that `benchmarks.peers` left behind, same dimensions, same words, same
beam, in turns, so that a busy minute meets both; each figure is the median over the turns and each ratio that of one
turn. Joey's time is what it says its search took; ours is that of `Translator.translate`, tokenization and joining
included, in a process of its own that has translated before. bfloat16 is the same float32 model, its products in the
other dtype. Words are real ones: neither padding nor end symbols. A model that is far from trained may ramble, and
words a second flatter who writes more of them: sentences a second are compared, too.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks import history
from benchmarks.corpora import MULTI30K, lines
from benchmarks.joey_nmt import JoeyNMT, Sizes
from benchmarks.peers import TEST_SET, quality, second_pass, words_of

PRECISIONS = ("float32", "mixed_bfloat16")
PEER = "Joey NMT, float32"
PART = "part"
"""Name of the part of the test set that is translated."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--directory", type=Path, default=Path("runs/peers"), help="where the trained models are")
    parser.add_argument("--beams", type=int, nargs="+", default=[1, 5])
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--sentences", type=int, default=1000, help="of the test set, spread over it")
    parser.add_argument(
        "--ours", nargs=2, metavar=("PRECISION", "BEAM"), help="(one turn of ours: see `_in_a_process`)"
    )
    options = parser.parse_args()
    directory = options.directory.resolve()
    if options.ours:
        print(json.dumps(_translated(options, options.ours[0], int(options.ours[1]))))
        return

    words = words_of(directory / "text")
    for language in ("en", "de"):
        some = _some(lines(words.directory / f"{TEST_SET}.{language}"), options.sentences)
        text = "".join(f"{line}\n" for line in some)
        (words.directory / f"{PART}.{language}").write_text(text, encoding="utf-8")
    joey = JoeyNMT(directory / "joey-environment", directory / "joey", words, Sizes(), threads=os.cpu_count() or 1)
    figures: dict[str, float] = {}
    print(
        "| beam | system | words/s | times Joey NMT | the same by sentences | BLEU (lc, tok.) | words |\n"
        "| ---: | --- | ---: | ---: | ---: | ---: | ---: |"
    )
    for beam_size in options.beams:
        turns: dict[str, list[dict[str, float]]] = {}
        for _ in range(options.turns):
            translations, seconds = joey.translate(PART, beam_size)
            turns.setdefault(PEER, []).append(quality(words, translations, seconds, PART))
            for precision in PRECISIONS:
                translations, seconds = _in_a_process(options, precision, beam_size)
                turns.setdefault(f"tfnmt, {precision}", []).append(quality(words, translations, seconds, PART))
        for system, found in turns.items():
            speed = statistics.median(turn["words_per_second"] for turn in found)
            by_words, by_sentences = (
                statistics.median(ours[rate] / peer[rate] for ours, peer in zip(found, turns[PEER], strict=True))
                for rate in ("words_per_second", "sentences_per_second")
            )
            print(
                f"| {beam_size} | {system} | {speed:,.0f} | {by_words:.2f} | {by_sentences:.2f} "
                f"| {found[0]['bleu']:.2f} | {found[0]['words']:,} |"
            )
            if system != PEER:
                figures[f"{system}, beam {beam_size}, times Joey NMT"] = by_words
    history.record("decoding_peers", figures)


def _some(text: list[str], number: int) -> list[str]:
    return text[:: max(1, len(text) // number)][:number]


def _in_a_process(options: argparse.Namespace, precision: str, beam_size: int) -> tuple[list[str], float]:
    command = [
        sys.executable, "-m", "benchmarks.decoding_peers", "--directory", str(options.directory),
        "--sentences", str(options.sentences), "--ours", precision, str(beam_size),
    ]  # fmt: skip
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    translations, seconds = json.loads(output.splitlines()[-1])
    return translations, seconds


def _translated(options: argparse.Namespace, precision: str, beam_size: int) -> tuple[list[str], float]:
    """Tokenized translations of the test set and the seconds of the second pass over it."""
    import keras

    import tfnmt  # noqa: F401  (registers the classes)

    translator = keras.saving.load_model(options.directory / "float32" / "translator.keras")
    sentences = _some(lines(MULTI30K / f"{TEST_SET}.en"), options.sentences)
    return second_pass(_in_precision(translator, precision), sentences, beam_size)


def _in_precision(translator: Any, precision: str) -> Any:
    """The same translator and weights with another dtype policy in all layers of its network."""
    import keras

    from tfnmt.decoding.translator import Translator

    def replaced(part: Any) -> Any:
        if isinstance(part, dict):
            if part.get("class_name") == "DTypePolicy" and part["config"]["name"] in PRECISIONS:
                return {**part, "config": {**part["config"], "name": precision}}
            return {key: replaced(value) for key, value in part.items()}
        return [replaced(value) for value in part] if isinstance(part, list | tuple) else part

    network = keras.saving.deserialize_keras_object(replaced(keras.saving.serialize_keras_object(translator.network)))
    network.set_weights(translator.network.get_weights())
    return Translator(
        translator.source_tokenizer, translator.target_tokenizer, network, translator.search,
        replace_unknown=translator.replace_unknown, beam_size=translator.beam_size,
    )  # fmt: skip


if __name__ == "__main__":
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    main()
