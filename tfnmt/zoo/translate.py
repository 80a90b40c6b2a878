"""`tfnmt translate MODEL [FILE]...`: lines in, translations out."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tfnmt.zoo import lines, translators
from tfnmt.zoo.model_use import ModelUse, with_translation_use
from tfnmt.zoo.verb import Verb, load_tensorflow, run

if TYPE_CHECKING:
    from tfnmt.decoding.translation import Translation


@click.command("translate", cls=Verb)
@click.argument("model")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option(
    "--beam-size", type=click.IntRange(1), help="Places in the beam; 1 is greedy.  [default: the model's own]"
)
@click.option("--n-best", type=click.IntRange(1), help="Write this many translations of each line, with scores.")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object a line, with scores.")
@click.option("--output", default=lines.STANDARD, show_default=True, help="Where to write; '-' is standard output.")
@with_translation_use
@click.option("--window", type=click.IntRange(1), default=2000, show_default=True,
              help="Lines that are read before their translations are written: more sort better by length, 1 answers "
                   "each line at once.")  # fmt: skip
def command(
    model: str,
    files: tuple[str, ...],
    beam_size: int | None,
    n_best: int | None,
    as_json: bool,
    output: str,
    use: ModelUse,
    window: int,
) -> None:
    """Translate files, or standard input, line by line: one line out for each line in, in the same order.

    MODEL is a run directory or a .keras file; several with commas between them translate as one. A FILE may be
    compressed (.gz, .xz, .zst); '-' is standard input. A blank line has a blank translation. With --n-best each line
    becomes several: number of the line ||| translation ||| score.

    \b
    Examples:
      tfnmt translate runs/demo-rnnsearch50
      echo "A man sleeps." | tfnmt translate runs/demo-rnnsearch50
      tfnmt translate runs/mine test.en --output test.out.de
      tfnmt translate runs/mine/translator.keras test.en.gz --beam-size 12 --n-best 4
      tfnmt translate runs/multitask test.en --to fr
      tfnmt translate runs/one,runs/two,runs/three test.en --combine probabilities
    """
    translators.find_all(model)
    load_tensorflow()
    translator = translators.load(model, use)
    number = 0
    paths = files or (lines.STANDARD,)
    window = 1 if paths == (lines.STANDARD,) and sys.stdin.isatty() else window
    with lines.writer(output) as stream:
        for sentences in lines.windows(lines.read(paths), window):
            found = translator.translate(
                sentences, beam_size=_beam(beam_size, n_best, translator.beam_size), n_best=n_best or 1
            )
            for sentence, translations in zip(sentences, found, strict=True):
                number += 1
                stream.write(_answer(number, sentence, translations, n_best, as_json))
                if not translations[0].finished:
                    click.echo(f"Line {number}: the translation was cut at the length limit.", err=True)
            stream.flush()


def _beam(beam_size: int | None, n_best: int | None, default: int) -> int:
    """A beam that nobody named is at least as wide as what is asked of it."""
    return beam_size or max(default, n_best or 1)


def _answer(number: int, sentence: str, found: Sequence[Translation], n_best: int | None, as_json: bool) -> str:
    if as_json:
        answer = {"source": sentence, "translations": [asdict(translation) for translation in found]}
        return json.dumps(answer, ensure_ascii=False) + "\n"
    if n_best is None:
        return _one_line(found[0].text) + "\n"
    return "".join(f"{number} ||| {_one_line(translation.text)} ||| {translation.score:.6f}\n" for translation in found)


def _one_line(text: str) -> str:
    return " ".join(text.splitlines()) if len(text.splitlines()) > 1 else text


if __name__ == "__main__":
    run(command, "python -m tfnmt.zoo.translate")
