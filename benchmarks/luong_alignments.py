"""Word alignments like table 6 of Luong et al. (2015): trains four systems on one text, then compares their links.

    pip install "tfnmt[aligner]"
    python -m benchmarks.luong_alignments en-de                  # gold: europarl100
    python -m benchmarks.luong_alignments en-fr --steps 8000     # gold: the Hansards, and five stories

Each system is trained on `opendoc` and `tatoeba` of the pair, lower-cased as the gold sentences of Europarl are. The
gold sentences come from parliaments and from stories, of which neither text has any: out of domain for all alike. (The
fourth gold set that is shared, English and Romanian, has no text to train on.) Then
`benchmarks/alignment_error_rate.py` forces each to the gold translations, and their ensemble, and lets the statistical
aligner eflomal read the same text.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from benchmarks import luong_runs

GOLD = {
    "en-de": ["alignments/europarl100.en-de"],
    "en-fr": ["alignments/hansards.en-fr", "alignments/alibi.en-fr"],
}
SYSTEMS = {
    "global (location)": "luong_global_location_feed",
    "global (dot)": "luong_global_dot",
    "local-m (general)": "luong_local_m",
    "local-p (general)": "luong_local_p",
}
LOWER_CASE = ("source.tokenizer.lowercase=true", "target.tokenizer.lowercase=true")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pair", choices=list(GOLD))
    parser.add_argument("--systems", nargs="+", choices=list(SYSTEMS.values()), default=list(SYSTEMS.values()))
    parser.add_argument("--steps", type=int, default=6000, help="updates of each run")
    parser.add_argument("--units", type=int, default=256, help="cells of a layer, and the size of a word vector")
    parser.add_argument("--vocabulary", type=int, default=20_000, help="words of each side at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--set", dest="settings", nargs="+", default=[], metavar="KEY=VALUE", help="more for the recipe"
    )
    parser.add_argument("--runs", type=Path, default=Path("runs/luong_alignments"), help="where the runs are kept")
    parser.add_argument("--train-only", action="store_true", help="leave the comparison out")
    options = parser.parse_args()

    source, _, target = options.pair.partition("-")
    texts = [f"{corpus}.{options.pair}" for corpus in ("opendoc", "tatoeba")]
    vocabularies = [f"{side}.vocabulary_size={options.vocabulary}" for side in ("source", "target")]
    for recipe in options.systems:
        luong_runs.train(
            recipe,
            _run(options, recipe),
            languages=(source, target),
            files={
                "train": [f"{text}/train" for text in texts],
                "valid": [f"{texts[0]}/valid"],
            },
            steps=options.steps,
            units=options.units,
            settings=[f"training.seed={options.seed}", *vocabularies, *LOWER_CASE, *options.settings],
        )
    for gold in [] if options.train_only else GOLD[options.pair]:
        _compare(gold, options, texts)


def _run(options: argparse.Namespace, recipe: str) -> Path:
    folder = luong_runs.folder(options.runs, options.pair, options.steps, options.units)
    return folder / f"{recipe}-seed{options.seed}"


def _compare(gold: str, options: argparse.Namespace, texts: list[str]) -> None:
    runs = {name: str(_run(options, recipe)) for name, recipe in SYSTEMS.items() if recipe in options.systems}
    runs["ensemble of these"] = ",".join(runs.values())
    command = [sys.executable, "-m", "benchmarks.alignment_error_rate", gold]
    for text in texts:
        command += ["--train", f"{text}/train"]
    subprocess.run([*command, *(f"{name}={run}" for name, run in runs.items())], check=True)


if __name__ == "__main__":
    main()
