"""`tfnmt align`: which source word each target word came from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tfnmt.errors import UserError
from tfnmt.zoo import lines, measures, translators
from tfnmt.zoo.model_use import ModelUse, with_model_use
from tfnmt.zoo.verb import Verb, load_tensorflow, run

if TYPE_CHECKING:
    from tfnmt.decoding.alignment import Alignment
    from tfnmt.decoding.translator import Translator
    from tfnmt.evaluation.error_rate import AlignmentQuality
    from tfnmt.evaluation.links import GoldLinks


@click.command("align", cls=Verb)
@click.argument("model")
@click.option("--source", required=True, help="Sentences, one a line.")
@click.option("--target", help="A translation of each.  [default: the model's own]")
@click.option("--beam-size", type=click.IntRange(1), help="Places in the beam for the model's own translations.")
@click.option("--output", help="Where to write the links.  [default: standard output; with --gold, nowhere]")
@click.option("--gold", help="Links by people, to measure the model's by; source and target are split at blanks.")
@click.option("--gold-target-first", is_flag=True, help="The gold links name the target word before the source word.")
@click.option("--json", "as_json", is_flag=True, help="Write what --gold measures as JSON.")
@click.option("--pictures", help="A directory for pictures of the attention matrices, gold links drawn in.")
@click.option("--heads", help="A directory for pictures of every head of every layer, of a Transformer.")
@click.option("--limit", type=click.IntRange(1), default=10, show_default=True, help="How many pictures to draw.")
@with_model_use
def command(
    model: str, source: str, target: str | None, beam_size: int | None, output: str | None, gold: str | None,
    gold_target_first: bool, as_json: bool, pictures: str | None, heads: str | None, limit: int,
    use: ModelUse,
) -> None:  # fmt: skip
    """Write word alignments in the Pharaoh format, measure them, and draw attention matrices with their words.

    Each line holds source-target pairs of words, counted from 0: for each target word the source word with the highest
    attention weight. Words are those of the model's tokenizers.

    With --gold, words are what stands between blanks, and precision, recall and alignment error rate are reported
    (Och and Ney 2003). A line of gold links holds `0-0` for a sure link and `1?2` for a possible one.

    \b
    Examples:
      tfnmt align runs/mine --source test.en --target test.de --output test.align
      tfnmt align runs/demo-rnnsearch50 --source sentences.en --pictures attention
      tfnmt align runs/mine --source test.en --target test.de --gold test.align --pictures attention
      tfnmt align runs/demo-transformer_base --source sentences.en --heads heads --limit 3
    """
    translators.find_all(model)
    if gold and not target:
        raise UserError("Gold links are links to the words of given translations: name them by --target.")
    if gold and heads:
        raise UserError(
            "--heads draws what the model's own tokens look at, --gold speaks of words: give one of the two."
        )
    names = {"--source": source, "--target": target, "--gold": gold}
    given = {name: path for name, path in names.items() if path}
    sources, *others = (
        lines.read_parallel(list(given), list(given.values())) if target else [lines.read_checked(source)]
    )
    load_tensorflow()
    from tfnmt.evaluation.links import strongest_links, to_pharaoh

    translator = translators.load(model, use)
    links_by_people: Sequence[GoldLinks | None] = [None] * len(sources)
    if gold:
        from tfnmt.evaluation.words import align_words

        alignments = list(align_words(translator, sources, others[0]))
        links_by_people = list(_gold(gold, others[1], gold_target_first, alignments))
    else:
        alignments = translator.align(sources, others[0] if target else None, beam_size)
    found = [strongest_links(alignment.weights) for alignment in alignments]
    if output or not gold:
        with lines.writer(output or lines.STANDARD) as stream:
            stream.writelines(f"{to_pharaoh(links)}\n" for links in found)
    if gold:
        from tfnmt.evaluation.error_rate import alignment_quality

        quality = alignment_quality(found, [links for links in links_by_people if links is not None])
        click.echo(json.dumps(quality._asdict(), indent=2) if as_json else _report(quality))
    if pictures:
        _draw(pictures, alignments, links_by_people, limit)
    if heads:
        _draw_heads(heads, translator, alignments, limit)


def _gold(path: str, rows: Sequence[str], target_first: bool, alignments: Sequence[Alignment]) -> Iterator[GoldLinks]:
    from tfnmt.evaluation.links import parse_gold, turned

    for number, (row, alignment) in enumerate(zip(rows, alignments, strict=True), 1):
        links = parse_gold(row, f"{path}, line {number}")
        links = turned(links) if target_first else links
        source, target = len(alignment.source_tokens), len(alignment.target_tokens)
        if beyond := [link for link in links.possible if link[0] >= source or link[1] >= target]:
            raise UserError(
                f"{path}, line {number}: a link of source word {beyond[0][0]} and target word {beyond[0][1]}, but there"
                f" are {source} and {target} words. Leave out or give --gold-target-first if the sides are exchanged."
            )
        yield links


def _report(quality: AlignmentQuality) -> str:
    return (
        f"precision {quality.precision:.3f}, recall {quality.recall:.3f}, alignment error rate "
        f"{quality.error_rate:.3f} ({quality.links:,} links; {quality.sure:,} sure and "
        f"{quality.possible - quality.sure:,} only possible by people)"
    )


def _draw(
    directory: str, alignments: Sequence[Alignment], links_by_people: Sequence[GoldLinks | None], limit: int
) -> None:
    from tfnmt.evaluation.pictures import attention_matrix, to_png

    rows = enumerate(zip(alignments, links_by_people, strict=True), 1)
    drawn = [(number, found, gold) for number, (found, gold) in rows if found.target_tokens][:limit]
    for number, found, gold in drawn:
        figure = attention_matrix(found.source_tokens, found.target_tokens, found.weights, gold)
        measures.write_picture(Path(directory) / f"{number}.png", to_png(figure))
    click.echo(f"{len(drawn)} pictures in {directory}", err=True)


def _draw_heads(directory: str, translator: Translator, alignments: Sequence[Alignment], limit: int) -> None:
    from tfnmt.decoding.heads import head_weights
    from tfnmt.evaluation.pictures import attention_heads, to_png

    drawn = [(number, found) for number, found in enumerate(alignments, 1) if found.target_tokens][:limit]
    for number, found in drawn:
        figure = attention_heads(found.source_tokens, found.target_tokens, head_weights(translator, found))
        measures.write_picture(Path(directory) / f"{number}.png", to_png(figure))
    click.echo(f"{len(drawn)} pictures of heads in {directory}", err=True)


if __name__ == "__main__":
    run(command, "python -m tfnmt.zoo.align")
