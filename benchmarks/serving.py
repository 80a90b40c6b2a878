"""One translator in every form it is served in: loading, latency, throughput, size and what its answers lose.

    python -m benchmarks.serving runs/multi30k/translator.keras \\
      --source multi30k/test_2016_flickr.en --reference multi30k/test_2016_flickr.de

The forms are the `.keras` file in a Python process and its exports with float32, bfloat16 and int8 weights. Each is
loaded by a process of its own, which answers one sentence after the other, warm, then all in batches; processes of
different forms take turns, so that a busy minute meets them all. Of each figure the median over the turns counts (BLEU
and the strings are the same in each).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import history

FORMS = ("keras", "float32", "bfloat16", "int8")
FIGURES = {
    "first sentence after": "s", "second request": "ms", "hundredth request": "ms", "p50": "ms", "p99": "ms",
    "batches": "words/s",
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--reference", type=Path, required=True)
    parser.add_argument("--requests", type=int, default=200, help="of one sentence, for the latency")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--form", choices=FORMS, help="(a turn of one form; what the processes are started with)")
    options = parser.parse_args()
    if options.form:
        print(json.dumps(_turn(options)))
        return

    with tempfile.TemporaryDirectory() as directory:
        paths = {"keras": options.model.resolve(), **_exports(options.model, Path(directory))}
        turns: dict[str, list[dict[str, Any]]] = {form: [] for form in FORMS}
        for _ in range(options.turns):
            for form in FORMS:
                turns[form].append(_in_a_process(options, form, paths[form]))
        sizes = {form: _size(path) / 1e6 for form, path in paths.items()}
    _report(options, turns, sizes)


def _exports(model: Path, directory: Path) -> dict[str, Path]:
    import keras

    import tfnmt  # noqa: F401  (registers the classes)
    from tfnmt.export import export_saved_model

    translator = keras.saving.load_model(model)
    return {form: export_saved_model(translator, directory / form, weights=form) for form in FORMS[1:]}


def _in_a_process(options: argparse.Namespace, form: str, path: Path) -> dict[str, Any]:
    command = [
        sys.executable, "-m", "benchmarks.serving", str(path), "--form", form, "--requests", str(options.requests),
        "--source", str(options.source), "--reference", str(options.reference),
    ]  # fmt: skip
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return json.loads(output.splitlines()[-1])


def _turn(options: argparse.Namespace) -> dict[str, Any]:
    """Everything about one form, in this process."""
    sentences = options.source.read_text(encoding="utf-8").splitlines()
    start = time.perf_counter()
    translate = _loaded(options.form, options.model)
    translate(sentences[:1])
    found: dict[str, Any] = {"first sentence after": time.perf_counter() - start}

    asked = (sentences * (options.requests // len(sentences) + 1))[: options.requests]
    same = [_seconds(translate, sentences[:1]) for _ in range(100)]
    found["second request"], found["hundredth request"] = (
        1e3 * statistics.median(part) for part in (same[:5], same[-5:])
    )
    for sentence in asked:  # every length and width was met once
        translate([sentence])
    seconds = sorted(1e3 * _seconds(translate, [sentence]) for sentence in asked)
    found["p50"], found["p99"] = (seconds[int(share * (len(seconds) - 1))] for share in (0.5, 0.99))

    order = sorted(range(len(sentences)), key=lambda number: len(sentences[number].split()))
    batches = [order[first : first + 80] for first in range(0, len(order), 80)]
    translations = [""] * len(sentences)
    for _ in range(2):  # the second time counts
        start = time.perf_counter()
        for batch in batches:
            for number, text in zip(batch, translate([sentences[number] for number in batch]), strict=True):
                translations[number] = text
        seconds_of_all = time.perf_counter() - start
    found["batches"] = sum(len(text.split()) for text in translations) / seconds_of_all
    return {**found, "translations": translations}


def _loaded(form: str, path: Path) -> Callable[[list[str]], list[str]]:
    if form != "keras":
        from tfnmt.export import load

        return load(path).translate

    import keras

    import tfnmt  # noqa: F401  (registers the classes)

    return keras.saving.load_model(path).translate


def _seconds(translate: Callable[[list[str]], list[str]], sentences: list[str]) -> float:
    start = time.perf_counter()
    translate(sentences)
    return time.perf_counter() - start


def _size(path: Path) -> int:
    """Bytes of a file, or of a SavedModel's graph, weights and tables (not of what stands beside them)."""
    if path.is_file():
        return path.stat().st_size
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file() and "assets.extra" not in file.parts)


def _report(options: argparse.Namespace, turns: dict[str, list[dict[str, Any]]], sizes: dict[str, float]) -> None:
    from sacrebleu.metrics import BLEU

    references = options.reference.read_text(encoding="utf-8").splitlines()
    expected = turns["keras"][0]["translations"]
    names = [f"{name}, {unit}" for name, unit in FIGURES.items()]
    print("| form | MB | BLEU | same strings | " + " | ".join(names) + " |\n|" + " --- |" * (len(names) + 4))
    figures: dict[str, float] = {}
    for form, found in turns.items():
        translations = found[0]["translations"]
        bleu = BLEU().corpus_score(translations, [references]).score
        same = sum(map(str.__eq__, translations, expected)) / len(expected)
        medians = {name: statistics.median(turn[name] for turn in found) for name in FIGURES}
        cells = [
            form,
            f"{sizes[form]:.1f}",
            f"{bleu:.2f}",
            f"{same:.1%}",
            *(f"{medians[name]:,.1f}" for name in FIGURES),
        ]
        print("| " + " | ".join(cells) + " |")
        figures |= {f"{form}, BLEU": bleu, f"{form}, size, MB": sizes[form]}
        figures |= {f"{form}, {name}, {FIGURES[name]}": value for name, value in medians.items()}
    history.record("serving", figures)


if __name__ == "__main__":
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    main()
