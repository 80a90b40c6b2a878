"""`tfnmt evaluate`: how good models, or files of translations, are."""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from tfnmt.errors import UserError
from tfnmt.zoo import lines, measures, pairs, translators
from tfnmt.zoo.model_use import ModelUse, with_translation_use
from tfnmt.zoo.systems import System
from tfnmt.zoo.verb import Verb, load_tensorflow, run


@click.command("evaluate", cls=Verb)
@click.argument("what", metavar="[NAME=]MODEL|FILE...", nargs=-1, required=True)
@click.option("--source", help="The sentences to translate.")
@click.option("--reference", help="Their translations by people.")
@click.option("--beam-size", type=click.IntRange(1), help="Places in the beam.  [default: the model's own]")
@click.option("--language", help="Target language, for the Moses tokenizer.  [default: the model's; en for a file]")
@click.option(
    "--tokenizer", default="13a", show_default=True, help="sacreBLEU's tokenizer for detokenized BLEU, such as zh."
)
@click.option("--output", help="Write the model's translations to this file.")
@click.option("--plot", help="Draw BLEU by sentence length to this PNG file, all systems in one picture.")
@click.option(
    "--lengths",
    type=click.Choice(["source", "reference"]),
    default="source",
    show_default=True,
    help="Which lengths the picture shows: of sources, in tens of words, or of references, in groups of 200 sentences.",
)
@with_translation_use
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of lines.")
def command(
    what: tuple[str, ...], source: str | None, reference: str | None, beam_size: int | None, language: str | None,
    tokenizer: str, output: str | None, plot: str | None, lengths: str, use: ModelUse, as_json: bool,
) -> None:  # fmt: skip
    """Measure trained models, or files of translations, against references.

    Reports BLEU as the papers do (tokenized with case; detokenized as mteval-13a) with sacreBLEU's signatures, chrF,
    BLEU by source length, and for a model the perplexity of the references. For a run directory without --source, the
    run's own test sets are measured. Several systems are compared in one table and one picture; NAME= names one.
    Models with commas between them are one system, their ensemble. A model of several target languages is measured in
    the one that --to names, or, on its run's own test sets, in all.

    \b
    Examples:
      tfnmt evaluate runs/demo-rnnsearch50
      tfnmt evaluate runs/mine --source test.en --reference test.de --plot lengths.png
      tfnmt evaluate RNNencdec=runs/encdec RNNsearch=runs/search --source test.en --reference test.de --plot both.png
      tfnmt evaluate runs/base runs/local-p --source test.en --reference test.de --plot fig6.png --lengths reference
      tfnmt evaluate runs/one runs/two ensemble=runs/one,runs/two --source test.en --reference test.de
      tfnmt evaluate test.out.de --reference test.de --source test.en --language de --json
    """
    systems = [System.named(text) for text in what]
    _check(systems, source, reference, output, plot if lengths == "source" else None)
    reports: list[dict[str, Any]] = []
    for system in systems:
        measured = (
            _of_file(system, source, reference, language or "en", tokenizer)
            if system.is_text
            else _of_model(system, source, reference, beam_size, language, tokenizer, output, use)
        )
        for report in measured:
            reports.append(report)
            if not as_json:
                _show(report)
    if plot:
        _draw(plot, reports, f"by_{lengths}_length")
    if as_json:
        click.echo(json.dumps(reports[0] if len(reports) == 1 else reports, ensure_ascii=False, indent=2))
    elif len(systems) > 1:
        _show_table(reports)


def _check(
    systems: Sequence[System], source: str | None, reference: str | None, output: str | None, plot: str | None
) -> None:
    """Raises:
    UserError: the options do not fit what is measured.
    """
    files, models = ([s for s in systems if s.is_text is kind] for kind in (True, False))
    if files and reference is None:
        raise UserError("A file of translations is measured against references: name them by --reference.")
    if files and plot and source is None:
        raise UserError("--plot draws BLEU by the length of the sources: name them by --source.")
    if models and (source is None) != (reference is None):
        raise UserError("--source and --reference belong together: name both, or none for the run's own test sets.")
    if output and len(systems) > 1:
        raise UserError(f"--output takes the translations of one model, not of {len(systems)} systems.")
    names = Counter(system.given_name for system in systems if system.given_name)
    if twice := [name for name, number in names.items() if number > 1]:
        raise UserError(f"Two systems are called '{twice[0]}': give each a name of its own.")


def _of_file(
    system: System, source: str | None, reference: str | None, language: str, tokenizer: str
) -> Iterator[dict[str, Any]]:
    names, paths = ["The file of translations", "--reference"], [system.path, str(reference)]
    if source:
        names, paths = [*names, "--source"], [*paths, source]
    translations, references, *sources = lines.read_parallel(names, paths)
    report = measures.measure(translations, references, language, sources[0] if sources else None, tokenizer)
    yield {"system": system.name, "name": system.path, **report}


def _of_model(
    system: System, source: str | None, reference: str | None, beam_size: int | None, language: str | None,
    tokenizer: str, output: str | None, use: ModelUse,
) -> Iterator[dict[str, Any]]:  # fmt: skip
    path, *_ = translators.find_all(system.path)
    sides = lines.read_parallel(["--source", "--reference"], [source, reference]) if source and reference else None
    load_tensorflow()
    recipe = translators.recipe_in(path)
    own = recipe.languages[0]
    asked = [use.to] if use.to or sides or recipe.tasks is None else recipe.languages
    sets = [
        (into, test)
        for into in asked
        for test in ([pairs.TestSet(str(source), *sides)] if sides else pairs.test_sets(recipe.task(into or own)))
    ]
    if not sets:
        raise UserError(f"The run in '{system.path}' names no test set: give --source and --reference.")
    if len(sets) > 1 and output:
        raise UserError(f"--output wants one test set, the run names {len(sets)}: give --source and --reference.")
    load = functools.cache(lambda into: translators.load(system.path, use._replace(to=into)))
    for into, (name, sources, references) in sets:
        translator = load(into)
        translations = translator.translate(sources, beam_size=beam_size)
        report = measures.measure(translations, references, language or into or own, sources, tokenizer)
        report["perplexity"] = measures.perplexity(translator, sources, references)
        if output:
            with lines.writer(output) as stream:
                stream.writelines(f"{translation}\n" for translation in translations)
        size = beam_size or translator.beam_size
        yield {"system": system.name, "name": name, "beam_size": size, **report}


def _show(report: dict[str, Any]) -> None:
    system = "" if report["system"] == report["name"] else f"{report['system']} on "
    click.echo(f"{system}{report['name']}: {report['sentences']:,} sentences")
    for line in measures.lines(report):
        click.echo(f"  {line}")


def _show_table(reports: Sequence[dict[str, Any]]) -> None:
    """All systems in one table, a row each."""
    from rich.console import Console

    click.echo()
    Console().print(measures.table(reports))


def _draw(path: str, reports: Sequence[dict[str, Any]], groups: str) -> None:
    sets = list(dict.fromkeys(report["name"] for report in reports))
    names = Counter(report["system"] for report in reports)
    several = any(number > 1 for number in names.values())
    measures.draw_by_length(
        path,
        {
            (f"{report['system']}, {report['name']}" if several else report["system"]): report[groups]
            for report in reports
        },
        title=Path(sets[0]).name if len(sets) == 1 and sets[0] != reports[0]["system"] else "",
    )


if __name__ == "__main__":
    run(command, "python -m tfnmt.zoo.evaluate")
