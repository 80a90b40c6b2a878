"""`tfnmt evaluate`: how good a model, or a file of translations, is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from tfnmt.errors import UserError
from tfnmt.zoo import lines, measures, pairs, shelf, translators
from tfnmt.zoo.verb import Verb, load_tensorflow, run


@click.command("evaluate", cls=Verb)
@click.argument("what", metavar="MODEL|FILE")
@click.option("--source", help="The sentences to translate.")
@click.option("--reference", help="Their translations by people.")
@click.option("--beam-size", type=click.IntRange(1), help="Places in the beam.  [default: the model's own]")
@click.option("--language", help="Target language of a file of translations, for the Moses tokenizer.  [default: en]")
@click.option(
    "--tokenizer", default="13a", show_default=True, help="sacreBLEU's tokenizer for detokenized BLEU, such as zh."
)
@click.option("--output", help="Write the model's translations to this file.")
@click.option("--plot", help="Draw BLEU by source length to this PNG file.")
@translators.with_lexicon
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of lines.")
def command(
    what: str, source: str | None, reference: str | None, beam_size: int | None, language: str | None,
    tokenizer: str, output: str | None, plot: str | None, lexicon: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Measure a trained model, or a file of translations, against references.

    Reports BLEU as the papers do (tokenized with case; detokenized as mteval-13a) with sacreBLEU's signatures, chrF,
    BLEU by source length, and for a model the perplexity of the references. For a run directory without --source, the
    run's own test sets are measured.

    \b
    Examples:
      tfnmt evaluate runs/demo-rnnsearch50
      tfnmt evaluate runs/mine --source test.en --reference test.de --plot lengths.png
      tfnmt evaluate test.out.de --reference test.de --source test.en --language de --json
    """
    if _is_text(what):
        reports = [_of_file(what, source, reference, language or "en", tokenizer, plot)]
    else:
        reports = _of_model(what, source, reference, beam_size, language, tokenizer, output, plot, lexicon)
    if as_json:
        click.echo(json.dumps(reports[0] if len(reports) == 1 else reports, ensure_ascii=False, indent=2))
        return
    for report in reports:
        click.echo(f"{report['name']}: {report['sentences']:,} sentences")
        for line in measures.lines(report):
            click.echo(f"  {line}")


def _is_text(what: str) -> bool:
    path = Path(what)
    return path.is_file() and path.suffix != ".keras"


def _of_file(
    what: str, source: str | None, reference: str | None, language: str, tokenizer: str, plot: str | None
) -> dict[str, Any]:
    if reference is None:
        raise UserError("A file of translations is measured against references: name them by --reference.")
    if plot and source is None:
        raise UserError("--plot draws BLEU by the length of the sources: name them by --source.")
    names, paths = ["The file of translations", "--reference"], [what, reference]
    if source:
        names, paths = [*names, "--source"], [*paths, source]
    translations, references, *sources = lines.read_parallel(names, paths)
    report = measures.measure(translations, references, language, sources[0] if sources else None, tokenizer)
    if plot:
        measures.draw_by_length(plot, Path(what).name, sources[0], translations, references)
    return {"name": what, **report}


def _of_model(
    what: str, source: str | None, reference: str | None, beam_size: int | None, language: str | None,
    tokenizer: str, output: str | None, plot: str | None, lexicon: str | None,
) -> list[dict[str, Any]]:  # fmt: skip
    if (source is None) != (reference is None):
        raise UserError("--source and --reference belong together: name both, or none for the run's own test sets.")
    path = str(translators.find(what))
    sides = lines.read_parallel(["--source", "--reference"], [source, reference]) if source and reference else None
    load_tensorflow()
    translator = translators.load(path, lexicon)
    recipe = shelf.loads(translator.recipe)
    sets = [pairs.TestSet(str(source), *sides)] if sides else list(pairs.test_sets(recipe))
    if not sets:
        raise UserError(f"The run in '{what}' names no test set: give --source and --reference.")
    if len(sets) > 1 and (output or plot):
        raise UserError(
            f"--output and --plot want one test set, the run names {len(sets)}: give --source and --reference."
        )
    reports = []
    for name, sources, references in sets:
        translations = translator.translate(sources, beam_size=beam_size)
        report = measures.measure(translations, references, language or recipe.target.language, sources, tokenizer)
        report["perplexity"] = measures.perplexity(translator, sources, references)
        reports.append({"name": name, "beam_size": beam_size or translator.beam_size, **report})
        if output:
            with lines.writer(output) as stream:
                stream.writelines(f"{translation}\n" for translation in translations)
        if plot:
            measures.draw_by_length(plot, recipe.title, sources, translations, references)
    return reports


if __name__ == "__main__":
    run(command, "python -m tfnmt.zoo.evaluate")
