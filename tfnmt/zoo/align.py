"""`tfnmt align`: which source word each target word came from."""

from __future__ import annotations

from pathlib import Path

import click

from tfnmt.zoo import lines, measures, translators
from tfnmt.zoo.verb import Verb, load_tensorflow, run


@click.command("align", cls=Verb)
@click.argument("model")
@click.option("--source", required=True, help="Sentences, one a line.")
@click.option("--target", help="A translation of each.  [default: the model's own]")
@click.option("--beam-size", type=click.IntRange(1), help="Places in the beam for the model's own translations.")
@click.option("--output", default=lines.STANDARD, show_default=True, help="Where to write the links.")
@click.option("--pictures", help="A directory for pictures of the attention matrices.")
@click.option("--limit", type=click.IntRange(1), default=10, show_default=True, help="How many pictures to draw.")
def command(
    model: str, source: str, target: str | None, beam_size: int | None, output: str, pictures: str | None, limit: int
) -> None:
    """Write word alignments in the Pharaoh format, and draw attention matrices with their words.

    Each line holds source-target pairs of words, counted from 0: for each target word the source word with the highest
    attention weight. Words are those of the model's tokenizers.

    \b
    Examples:
      tfnmt align runs/mine --source test.en --target test.de --output test.align
      tfnmt align runs/demo-rnnsearch50 --source sentences.en --pictures attention
    """
    path = str(translators.find(model))
    if target:
        sources, targets = lines.read_parallel(["--source", "--target"], [source, target])
    else:
        sources, targets = lines.read_checked(source), None
    load_tensorflow()
    from tfnmt.evaluation.links import strongest_links, to_pharaoh

    alignments = translators.load(path).align(sources, targets, beam_size)
    with lines.writer(output) as stream:
        stream.writelines(f"{to_pharaoh(strongest_links(alignment.weights))}\n" for alignment in alignments)
    if pictures:
        from tfnmt.evaluation.pictures import attention_matrix, to_png

        drawn = [(number, found) for number, found in enumerate(alignments, 1) if found.target_tokens][:limit]
        for number, found in drawn:
            figure = attention_matrix(found.source_tokens, found.target_tokens, found.weights)
            measures.write_picture(Path(pictures) / f"{number}.png", to_png(figure))
        click.echo(f"{len(drawn)} pictures in {pictures}", err=True)


if __name__ == "__main__":
    run(command, "python -m tfnmt.zoo.align")
