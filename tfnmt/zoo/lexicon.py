"""`tfnmt lexicon`: translations of single words from word alignments, for candidate lists and unknown words."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tfnmt.errors import UserError
from tfnmt.zoo import builder, lines, translators
from tfnmt.zoo.verb import Verb, load_tensorflow, run

if TYPE_CHECKING:
    from tfnmt.decoding.translator import Translator
    from tfnmt.evaluation.links import Link
    from tfnmt.text.lexicon import Lexicon

WINDOW = 2000
"""Pairs that are aligned at once."""

AlignedPair = tuple[list[str], list[str], Iterable["Link"]]


@click.command("lexicon", cls=Verb)
@click.argument("model")
@click.option("--source", required=True, help="Sentences, one a line.")
@click.option("--target", required=True, help="The translation of each.")
@click.option(
    "--links",
    help="Their word alignment by a statistical aligner (fast_align, eflomal): `0-0 1-2` a line; source and target are "
    "then split at blanks.  [default: the model's own attention]",
)
@click.option(
    "--translations", type=click.IntRange(1), default=20, show_default=True, help="Translations kept of a word at most."
)
@click.option("--minimum-count", type=click.IntRange(1), default=1, show_default=True, help="Links that one needs.")
@click.option("--output", help="A file to write, `source <tab> target <tab> probability` a line.")
@click.option("--keep", is_flag=True, help="Keep the lexicon in the model, with the candidate lists of its recipe.")
def command(
    model: str, source: str, target: str, links: str | None, translations: int, minimum_count: int, output: str | None,
    keep: bool,
) -> None:  # fmt: skip
    """Build a bilingual lexicon from word alignments: by the model's attention, or by a statistical aligner.

    The lexicon says what stands for an unknown word, and which words a sentence's candidate list holds. Keep it in a
    model whose training is over: a run that goes on writes its translator anew.

    \b
    Examples:
      tfnmt lexicon runs/mine --source train.en --target train.de --keep
      tfnmt lexicon runs/mine --source train.en --target train.de --output lexicon.tsv
      tfnmt lexicon runs/mine --source tok.en --target tok.de --links forward.align --keep
      tfnmt translate runs/mine test.en --lexicon lexicon.tsv --candidates 30000 10
    """
    path = translators.find(model)
    if not output and not keep:
        raise UserError("The lexicon would go nowhere: name a file by --output, or --keep it in the model.")
    names = {"--source": source, "--target": target, **({"--links": links} if links else {})}
    texts = lines.read_parallel(list(names), list(names.values()))
    load_tensorflow()
    from tfnmt.text.translation_counts import TranslationCounts

    translator = translators.load(model)
    counts = TranslationCounts()
    pairs = _linked(texts, links) if links else _attended(translator, texts[0], texts[1])
    for number, pair in enumerate(pairs, 1):
        counts.add(*pair, where=f"Line {number}")
    lexicon = counts.lexicon(translations, minimum_count)
    click.echo(f"{len(lexicon.entries):,} source words with translations, from {counts.links:,} links.", err=True)
    if output:
        with lines.writer(output):
            lexicon.save(output)
    if keep:
        _keep(translator, lexicon, path)


def _linked(texts: list[list[str]], where: str) -> Iterator[AlignedPair]:
    """Pairs as an aligner saw them."""
    from tfnmt.evaluation.links import parse_gold

    for number, (source, target, row) in enumerate(zip(*texts, strict=True), 1):
        yield source.split(), target.split(), parse_gold(row, f"{where}, line {number}").possible


def _attended(translator: Translator, sources: list[str], targets: list[str]) -> Iterator[AlignedPair]:
    """Pairs as the model aligns them: for each target word the source word with the highest weight."""
    from tfnmt.evaluation.links import strongest_links

    for start in range(0, len(sources), WINDOW):
        end = start + WINDOW
        for found in translator.align(sources[start:end], targets[start:end]):
            yield list(found.source_tokens), list(found.target_tokens), strongest_links(found.weights)
        click.echo(f"\raligned {min(end, len(sources)):,} of {len(sources):,} pairs", err=True, nl=end >= len(sources))


def _keep(translator: Translator, lexicon: Lexicon, path: Path) -> None:
    """The file is whole at any time: the new one is written aside and moved."""
    decoding = translators.recipe_in(path).decoding
    changed = builder.given_a_lexicon(translator, lexicon, decoding)
    aside = path.with_stem(f"{path.stem}.new")
    changed.save(aside)
    os.replace(aside, path)
    lists = "" if decoding.candidates is None else ", candidate lists too"
    click.echo(f"kept in {path}{lists}", err=True)


if __name__ == "__main__":
    run(command, "python -m tfnmt.zoo.lexicon")
