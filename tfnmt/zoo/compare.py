"""`tfnmt compare`: sample translations of several systems side by side."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

import click

from tfnmt.errors import UserError
from tfnmt.zoo import lines, translators
from tfnmt.zoo.model_use import ModelUse, with_translation_use
from tfnmt.zoo.systems import System
from tfnmt.zoo.verb import Verb, load_tensorflow, run


@click.command("compare", cls=Verb)
@click.argument("what", metavar="[NAME=]MODEL|FILE...", nargs=-1, required=True)
@click.option("--source", required=True, help="The sentences.")
@click.option("--reference", help="Their translations by people.")
@click.option("--lines", "numbers", help="Which lines to show, such as 3,17,20.  [default: drawn at random]")
@click.option("--limit", type=click.IntRange(1), default=4, show_default=True, help="How many lines to draw.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the drawing.")
@click.option("--beam-size", type=click.IntRange(1), help="Places in the beam.  [default: the model's own]")
@with_translation_use
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object a sentence.")
def command(
    what: tuple[str, ...], source: str, reference: str | None, numbers: str | None, limit: int, seed: int,
    beam_size: int | None, use: ModelUse, as_json: bool,
) -> None:  # fmt: skip
    """Show what several systems make of the same sentences, as in table 5 of Luong et al. (2015).

    A system is a run directory, a .keras file, several of them with commas between (their ensemble), or a file of
    translations of all the sentences. NAME= names it.

    \b
    Examples:
      tfnmt compare best=runs/local-p base=runs/base --source test.en --reference test.de
      tfnmt compare runs/mine other.out.de --source test.en --lines 3,17
    """
    systems = [System.named(text) for text in what]
    for system in systems:
        if not system.is_text:
            translators.find_all(system.path)
    files = {"--source": source, "--reference": reference}
    files |= {f"'{system.name}'": system.path for system in systems if system.is_text}
    given = {name: path for name, path in files.items() if path}
    sides = dict(zip(given, lines.read_parallel(list(given), list(given.values())), strict=True))
    sentences = sides["--source"]
    chosen = _chosen(numbers, limit, seed, sentences)
    shown: list[dict[str, Any]] = [{"line": line, "source": sentences[line - 1]} for line in chosen]
    if reference:
        for row in shown:
            row["reference"] = sides["--reference"][row["line"] - 1]
    for row in shown:
        row["translations"] = {}
    for system in systems:
        if system.is_text:
            translations = [sides[f"'{system.name}'"][line - 1] for line in chosen]
        else:
            load_tensorflow()
            translator = translators.load(system.path, use)
            translations = translator.translate([row["source"] for row in shown], beam_size=beam_size)
        for row, translation in zip(shown, translations, strict=True):
            row["translations"][system.name] = translation
    for row in shown:
        click.echo(json.dumps(row, ensure_ascii=False) if as_json else _block(row))


def _chosen(numbers: str | None, limit: int, seed: int, sentences: Sequence[str]) -> list[int]:
    """Numbers of lines, from 1."""
    if numbers is None:
        written = [line for line, sentence in enumerate(sentences, 1) if sentence.strip()]
        return sorted(random.Random(seed).sample(written, min(limit, len(written))))
    parts = numbers.split(",")
    if not all(part.strip().isdecimal() and 1 <= int(part) <= len(sentences) for part in parts):
        raise UserError(f"--lines {numbers}: expected numbers from 1 to {len(sentences):,}, such as 3,17.")
    return [int(part) for part in parts]


def _block(row: dict[str, Any]) -> str:
    names = {"source": row["source"]} | ({"reference": row["reference"]} if "reference" in row else {})
    rows = names | row["translations"]
    width = max(map(len, rows))
    return "\n".join([f"line {row['line']}", *(f"  {name:<{width}}  {text}" for name, text in rows.items()), ""])


if __name__ == "__main__":
    run(command, "python -m tfnmt.zoo.compare")
