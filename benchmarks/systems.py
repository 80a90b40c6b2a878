"""The systems of the zoo beside RNNsearch on Multi30k, each trained for the same time; and what two of them are for.

    python -m benchmarks.systems systems --minutes 55     # BLEU, weights, training and decoding words a second
    python -m benchmarks.systems languages --minutes 30   # a language of 3,000 pairs: alone, and beside two large ones
    python -m benchmarks.systems beams                    # BLEU against the beam, with and without a value network
    python -m benchmarks.systems systems --only rnnsearch50 multitask
    taskset -c 0 python -m benchmarks.systems languages --ways alone      # each on a core of its own

Each system is a run of `tfnmt train` in the profile `multi30k` (English to German; `multitask` to German, French and
Czech at once), in a directory of its own: a run that is done is not made again, one that was stopped goes on, and what
was measured is kept beside it. A run ends after its minutes of training, validation included; nothing else should run
on the machine. Where the recipe's learning rate falls over a number of updates, a probe of a minute finds how many fit
into the time, and a run ends after as many. The value network is trained over the run of `rnnsearch50`, for the same
time again. Prints Markdown. BLEU is tokenized and lower-cased, on test_2016_flickr, as is usual for
Multi30k.
"""

from __future__ import annotations

import argparse
import gzip
import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

from benchmarks import runs
from benchmarks.corpora import MULTI30K, lines
from tfnmt.evaluation.metrics import bleu_tokenized
from tfnmt.zoo import shelf, translators
from tfnmt.zoo.model_use import ModelUse
from tfnmt.zoo.parts.schedules import CosineDecay
from tfnmt.zoo.run_directory import RunDirectory

TEST = "test_2016_flickr"
SYSTEMS = ("rnnsearch50", "transformer_base", "conv_encoder", "pooling_encoder", "multitask", "rnnsearch_value")
SMALL_PAIRS = 3_000
BEAMS = (2, 5, 10, 20, 50)
VALIDATIONS = 6
SAVES = 12
"""Checkpoints of a run whose last ones are averaged."""
PROBE_MINUTES = 1.0
MANY = 1_000_000
"""Updates that no run gets to."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=list(PARTS))
    parser.add_argument("--minutes", type=float, default=55.0, help="of training for each run")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", default=list(SYSTEMS), metavar="SYSTEM", help="some of the systems")
    parser.add_argument("--ways", nargs="+", default=list(WAYS), choices=list(WAYS), help="some of the ways to Czech")
    parser.add_argument("--beam-size", type=int, default=5)
    parser.add_argument("--beams", type=int, nargs="+", default=list(BEAMS))
    parser.add_argument("--alpha", type=float, help="share of the probability  [default: the recipe's]")
    parser.add_argument("--data", type=Path, default=MULTI30K, help="the Multi30k corpus, raw text")
    parser.add_argument("--runs", type=Path, default=Path("runs/systems"), help="where the runs are kept")
    parser.add_argument("--set", dest="settings", action="append", default=[], help="override a key in all runs")
    parser.add_argument("--report", action="store_true", help="train nothing")
    options = parser.parse_args()
    for line in PARTS[options.part](options):
        print(line, flush=True)


def systems(options: argparse.Namespace) -> Sequence[str]:
    """Every system with the same budget."""
    shown = [
        "| system | BLEU | weights | minutes | updates | training, words/s | decoding, words/s |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name in options.only:
        place, several = _run(name, options), name == "multitask"
        _train(place, name, options, options.data, "en-de,fr,cs" if several else "en-de")
        if not RunDirectory(place).translator.is_file():
            continue
        to = "de" if several else None
        found = _kept(place, "system", options, partial(_system, place, to, options))
        shown.append(
            f"| {name} | {found['bleu']:.2f} | {found['weights']:,.0f} | {found['minutes']:.0f} | "
            f"{found['updates']:,.0f} | {found['training']:,.0f} | {found['decoding']:,.0f} |"
        )
        checkpoints = shelf.load(name, "multi30k").training.keep_checkpoints
        if checkpoints > 1:
            found = _kept(place, "averaged", options, partial(_averaged, place, checkpoints, options))
            shown.append(f"| {name}, mean of the last {checkpoints} checkpoints | {found['bleu']:.2f} | | | | | |")
    return shown


def languages(options: argparse.Namespace) -> Sequence[str]:
    """Czech with 3,000 pairs: trained alone, beside all of German and French, and added to them afterwards."""
    shown = [f"| Czech, {SMALL_PAIRS:,} pairs | BLEU |", "| --- | ---: |"]
    for way in options.ways:
        place = options.runs / f"czech-{way}-seed{options.seed}"
        WAYS[way](place, options)
        if RunDirectory(place).translator.is_file():
            to = None if way == "alone" else "cs"
            found = _kept(place, "czech", options, partial(_bleu, place, "cs", to, options))
            shown.append(f"| {way} | {found['bleu']:.2f} |")
    return shown


def _alone(place: Path, options: argparse.Namespace) -> None:
    _train(place, "rnnsearch50", options, _text(options, "cs"), "en-cs")


def _together(place: Path, options: argparse.Namespace) -> None:
    _train(place, "multitask", options, _text(options, "de", "fr", "cs"), "en-de,fr,cs")


def _added(place: Path, options: argparse.Namespace) -> None:
    base = options.runs / f"german-french-seed{options.seed}"
    _train(base, "multitask", options, _text(options, "de", "fr"), "en-de,fr")
    _train(place, "multitask", options, _text(options, "cs"), "en-cs", "--start", str(base))


WAYS: dict[str, Callable[[Path, argparse.Namespace], None]] = {
    "alone": _alone,
    "together": _together,
    "added": _added,
}


def beams(options: argparse.Namespace) -> Sequence[str]:
    """BLEU as the beam grows, by probability alone and with the value network."""
    place = _run("rnnsearch_value", options)
    _train(_run("rnnsearch50", options), "rnnsearch50", options, options.data, "en-de")
    _train(place, "rnnsearch_value", options, options.data, "en-de")
    shown = ["| beam | probability alone | with the value network |", "| ---: | ---: | ---: |"]
    for size in options.beams if RunDirectory(place).translator.is_file() else ():
        row = [
            _kept(
                place, f"beam {size}, alpha {alpha}", options,
                partial(_bleu, place, "de", None, options, size, alpha),
            )["bleu"]
            for alpha in (1.0, options.alpha)
        ]  # fmt: skip
        shown.append(f"| {size} | {row[0]:.2f} | {row[1]:.2f} |")
    return shown


PARTS: dict[str, Callable[[argparse.Namespace], Sequence[str]]] = {
    "systems": systems,
    "languages": languages,
    "beams": beams,
}


def _run(name: str, options: argparse.Namespace) -> Path:
    place: Path = options.runs / f"{name}-seed{options.seed}"
    return place


def _train(place: Path, recipe: str, options: argparse.Namespace, data: Path, pair: str, *further: str) -> None:
    """`tfnmt train`, which goes on with a run that is there and says so of one that is done."""
    if options.report:
        return
    schedule = [f"training.minutes={options.minutes}", "training.epochs=1000", f"training.steps={MANY}"]
    training = shelf.load(recipe, "multi30k").training
    rate = training.optimizer.learning_rate
    if isinstance(rate, CosineDecay):
        updates = _updates_that_fit(place, recipe, options, data, pair, *further)
        schedule = [f"training.steps={updates}", "training.epochs=1000"]
        schedule += [
            f"training.optimizer.learning_rate.decay_steps={updates - rate.warmup_steps}",
            f"training.validation_steps={updates // VALIDATIONS}",
        ]
    if training.keep_checkpoints > 1:
        schedule.append(f"training.save_minutes={options.minutes / SAVES}")
    if recipe == "rnnsearch_value":
        further += ("--start", str(_run("rnnsearch50", options)))
    _start(place, recipe, options, data, pair, *further, settings=schedule)


def _updates_that_fit(
    place: Path, recipe: str, options: argparse.Namespace, data: Path, pair: str, *further: str
) -> int:
    """How many updates the minutes have room for, found once for each run by training for a minute."""
    probe = place.with_name(f"{place.name}-probe")

    def seconds_an_update() -> float:
        limits = [f"training.minutes={PROBE_MINUTES}", f"training.validation_steps={MANY}"]
        _start(probe, recipe, options, data, pair, *further, settings=limits)
        first, *_, last = runs.figures(probe, "training")
        return float(last["seconds_spent"] - first["seconds_spent"]) / (last["step"] - first["step"])

    return round(60 * options.minutes / runs.Findings(probe / "systems.json").once("update", seconds_an_update))


def _start(
    place: Path, recipe: str, options: argparse.Namespace, data: Path, pair: str, *further: str,
    settings: Sequence[str],
) -> None:  # fmt: skip
    arguments = ["--profile", "multi30k", "--data", str(data), "--languages", pair, *further]
    runs.train(recipe, place, *arguments, settings=[*settings, f"training.seed={options.seed}", *options.settings])


def _system(place: Path, to: str | None, options: argparse.Namespace) -> dict[str, float]:
    translator = translators.load(str(place), ModelUse(to=to))
    sources, references = (lines(options.data / f"{TEST}.{side}") for side in ("en", "de"))
    translator.translate(sources[:100], beam_size=options.beam_size)  # compiles
    start = time.perf_counter()
    translations = translator.translate(sources, beam_size=options.beam_size)
    seconds = time.perf_counter() - start
    words = sum(len(row) for row in translator.target_tokenizer.split(translations).to_list())
    return {
        "bleu": bleu_tokenized(translations, references, lowercase=True, language="de").value,
        "weights": translators.load_file(RunDirectory(place).translator).network.count_params(),
        "minutes": runs.figures(place, "training")[-1]["seconds_spent"] / 60,
        "updates": runs.figures(place, "validation")[-1]["step"],  # a run ends with one
        "training": runs.training_speed(place),
        "decoding": words / seconds,
    }


def _averaged(place: Path, checkpoints: int, options: argparse.Namespace) -> dict[str, float]:
    runs.tfnmt("average", str(place), "--last", str(checkpoints))
    return _bleu(place / "averaged.keras", "de", None, options)


def _bleu(
    model: Path, language: str, to: str | None, options: argparse.Namespace, beam_size: int | None = None,
    alpha: float | None = None,
) -> dict[str, float]:  # fmt: skip
    translator = translators.load(str(model), ModelUse(to=to, alpha=alpha))
    sources, references = (lines(options.data / f"{TEST}.{side}") for side in ("en", language))
    translations = translator.translate(sources, beam_size=beam_size or options.beam_size)
    return {"bleu": bleu_tokenized(translations, references, lowercase=True, language=language).value}


def _kept(
    place: Path, what: str, options: argparse.Namespace, measure: Callable[[], dict[str, float]]
) -> dict[str, float]:
    """What was measured of a run, unless it has trained on since."""
    trained = RunDirectory(place).translator.stat().st_mtime
    found: dict[str, float] = runs.Findings(place / "systems.json").once(
        f"{what}, beam {options.beam_size}", measure, under={"trained": trained}
    )
    return found


def _text(options: argparse.Namespace, *languages: str) -> Path:
    """Multi30k from English into some languages: all of German and French, 3,000 pairs of Czech in their own files."""
    folder: Path = options.runs / "-".join(("text", *languages))
    folder.mkdir(parents=True, exist_ok=True)
    large = [language for language in languages if language != "cs"]
    names = [f"{split}.{language}" for split in ("valid", TEST) for language in ("en", *languages)]
    names += [f"train.{language}.gz" for language in ("en", *large) if large]
    for name in names:
        if not (folder / name).exists():
            (folder / name).symlink_to((options.data / name).resolve())
    for language in ("en", "cs") if "cs" in languages else ():
        with gzip.open(options.data / f"train.{language}.gz", "rt", encoding="utf-8", newline="\n") as text:
            few = [next(text) for _ in range(SMALL_PAIRS)]
        (folder / f"train-few.{language}").write_text("".join(few), encoding="utf-8")
    return folder


if __name__ == "__main__":
    main()
