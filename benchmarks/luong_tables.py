"""Tables like 1, 3 and 4 of Luong et al. (2015), at a size and for a time that two CPU cores have.

    python -m benchmarks.luong_tables                               # Multi30k, all three tables, two seeds a row
    python -m benchmarks.luong_tables --tables 4 --seeds 1 2 3 --steps 9000 --units 384
    python -m benchmarks.luong_tables --data opendoc.en-de --test test --rows luong_base luong_local_p
    python -m benchmarks.luong_tables --report                      # only what was measured already

Each row and seed is a run of `tfnmt train` in the profile `multi30k`, in a directory of its own: one that was stopped
goes on, and rows that tables share are trained once. Every row gets the same number of updates, as in the paper. Then
each model translates the test set as it is and with unknown words replaced, and so does the ensemble of the attention
models of each seed. What a row reached is kept in `docs/luong_tables.json`, with the commit: a row that is there is not
trained again, so that the tables can be made in several sittings and on several machines. Two may be at work at once,
each with its own `--seeds`, or `--rows`. Prints the tables in Markdown: mean over the seeds, and the lowest and highest
in brackets. BLEU is tokenized, with case, as in the paper's tables 1 and 4.
"""

from __future__ import annotations

import argparse
import os
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

from benchmarks import luong_runs, runs
from benchmarks.corpora import REPOSITORY, found
from benchmarks.history import commit
from tfnmt.evaluation.metrics import bleu_tokenized
from tfnmt.zoo import lines, measures, translators
from tfnmt.zoo.lexicon_use import LexiconUse
from tfnmt.zoo.model_use import ModelUse


@dataclass(frozen=True)
class Row:
    """One system: its line in the table, its recipe, and how it differs from it."""

    title: str
    recipe: str
    changes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.recipe + ("_no_dropout" if self.changes else "")


@dataclass(frozen=True)
class Table:
    """One table of the paper, whose rows are trained in one direction."""

    title: str
    source: str
    target: str
    rows: tuple[Row, ...]
    with_ensemble: bool = False


TABLES = {
    1: Table(
        "Table 1, English to German: each row adds a step to the row above",
        "en",
        "de",
        (
            Row("base", "luong_base"),
            Row("+ reverse", "luong_base_reverse"),
            Row("+ dropout", "luong_base_reverse_dropout"),
            Row("+ global attention (location)", "luong_global_location"),
            Row("+ feed input", "luong_global_location_feed"),
            Row("+ local-p attention (general), feed input", "luong_local_p"),
        ),
        with_ensemble=True,
    ),
    3: Table(
        "Table 3, German to English",
        "de",
        "en",
        (
            Row("base (reverse)", "luong_base_reverse"),
            Row("+ global (location)", "luong_global_location", luong_runs.NO_DROPOUT),
            Row("+ feed", "luong_global_location_feed", luong_runs.NO_DROPOUT),
            Row("+ global (dot) + dropout + feed", "luong_global_dot"),
        ),
    ),
    4: Table(
        "Table 4, English to German: attention models, all with dropout and input feeding",
        "en",
        "de",
        (
            Row("global (location)", "luong_global_location_feed"),
            Row("global (dot)", "luong_global_dot"),
            Row("global (general)", "luong_global_general"),
            Row("global (concat)", "luong_global_concat"),
            Row("local-m (dot)", "luong_local_m_dot"),
            Row("local-m (general)", "luong_local_m"),
            Row("local-p (dot)", "luong_local_p_dot"),
            Row("local-p (general)", "luong_local_p"),
        ),
        with_ensemble=True,
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, nargs="+", choices=list(TABLES), default=list(TABLES))
    parser.add_argument("--rows", nargs="+", help="only the rows of these recipes")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--steps", type=int, default=4500, help="updates of each run")
    parser.add_argument("--units", type=int, default=256, help="cells of a layer, and the size of a word vector")
    parser.add_argument(
        "--set", dest="settings", nargs="+", default=[], metavar="KEY=VALUE", help="more for the recipe"
    )
    parser.add_argument("--data", default="multi30k", help="directory with train, valid and test text")
    parser.add_argument("--test", default="test_2016_flickr", help="how the test files are called")
    parser.add_argument("--lexicon", help="translations of words, for unknown words")
    parser.add_argument("--runs", type=Path, default=Path("runs/luong_tables"), help="where the runs are kept")
    parser.add_argument(
        "--findings", type=Path, default=REPOSITORY / "docs" / "luong_tables.json", help="where the results are kept"
    )
    parser.add_argument("--report", action="store_true", help="train nothing")
    parser.add_argument("--output", type=Path, help="write the tables to this file as well")
    options = parser.parse_args()

    findings = runs.Findings(options.findings)
    text = []
    for number in options.tables:
        text.append(_table(TABLES[number], options, findings))
        print(text[-1], flush=True)
    if options.output:
        options.output.write_text("\n".join(text), encoding="utf-8")


def _table(table: Table, options: argparse.Namespace, findings: runs.Findings) -> str:
    shown = [
        f"### {table.title}\n",
        "| system | perplexity | BLEU | BLEU, unknown words replaced | minutes | runs |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for row in table.rows:
        if not options.rows or row.recipe in options.rows:
            results = [_of_row(row, table, seed, options, findings) for seed in options.seeds]
            shown.append(_line(row.title, [result for result in results if result]))
    if table.with_ensemble and not options.rows:
        results = [_of_ensemble(table, seed, options, findings) for seed in options.seeds]
        shown.append(_line("ensemble of the attention models above", [result for result in results if result]))
    return "\n".join(shown) + "\n"


def _of_row(
    row: Row, table: Table, seed: int, options: argparse.Namespace, findings: runs.Findings
) -> dict[str, float] | None:
    """What a row reaches with a seed: as it was found, or after training it now."""
    name, under = f"{options.data}, {table.source}-{table.target}: {row.name}, seed {seed}", _conditions(options)
    if options.report:
        return findings.get(name, under)
    place = _run(row, table, seed, options)

    def find() -> dict[str, float]:
        luong_runs.train(
            row.recipe,
            place,
            languages=(table.source, table.target),
            files={
                split: [f"{options.data}/{file}"]
                for split, file in (("train", "train"), ("valid", "valid"), ("test", options.test))
            },
            steps=options.steps,
            units=options.units,
            settings=[f"training.seed={seed}", *row.changes, *options.settings],
        )
        minutes = runs.figures(place, "training")[-1]["seconds_spent"] / 60
        return {**_measured(str(place), table, options), "minutes": minutes}

    return findings.once(name, find, under)


def _of_ensemble(
    table: Table, seed: int, options: argparse.Namespace, findings: runs.Findings
) -> dict[str, float] | None:
    """What the attention models of one seed reach together; their runs must still be there."""
    members = [row for row in table.rows if "base" not in row.recipe]
    name = f"{options.data}, {table.source}-{table.target}: {', '.join(row.name for row in members)}, seed {seed}"
    under = _conditions(options)
    places = [_run(row, table, seed, options) for row in members]
    if options.report or not all(luong_runs.is_done(place, options.steps) for place in places):
        return findings.get(name, under)
    return findings.once(name, lambda: _measured(",".join(map(str, places)), table, options), under)


def _conditions(options: argparse.Namespace) -> dict[str, Any]:
    return {name: getattr(options, name) for name in ("data", "test", "lexicon", "steps", "units", "settings")}


def _run(row: Row, table: Table, seed: int, options: argparse.Namespace) -> Path:
    folder = luong_runs.folder(options.runs, Path(options.data).name, options.steps, options.units)
    return folder / f"{table.source}-{table.target}" / f"{row.name}-seed{seed}"


def _measured(model: str, table: Table, options: argparse.Namespace) -> dict[str, Any]:
    """What a model or an ensemble reaches on the test set, and by which code."""
    sources, references = (
        lines.read_checked(str(found(f"{options.data}/{options.test}.{side}"))) for side in (table.source, table.target)
    )
    translator = translators.load(model, ModelUse(lexicon=LexiconUse(file=options.lexicon)))
    figures: dict[str, Any] = {"commit": commit(), "perplexity": measures.perplexity(translator, sources, references)}
    ways = {"bleu": translator.without_replacement()}
    if translator.replace_unknown:  # not without attention
        ways["bleu_replaced"] = translator
    for name, way in ways.items():
        figures[name] = bleu_tokenized(way.translate(sources), references, language=table.target).value
    return figures


def _line(title: str, results: Sequence[dict[str, float]]) -> str:
    cells = [_spread([r[name] for r in results if name in r]) for name in ("perplexity", "bleu", "bleu_replaced")]
    minutes = [result["minutes"] for result in results if "minutes" in result]
    return (
        f"| {title} | {' | '.join(cells)} | {f'{statistics.mean(minutes):.0f}' if minutes else '-'} | {len(results)} |"
    )


def _spread(values: Sequence[float]) -> str:
    if len(values) < 2:
        return f"{values[0]:.2f}" if values else "-"
    return f"{statistics.mean(values):.2f} ({min(values):.2f}-{max(values):.2f})"


if __name__ == "__main__":
    main()
