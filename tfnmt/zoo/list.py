"""`tfnmt list`: the models of the zoo."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import click

from tfnmt.zoo import shelf
from tfnmt.zoo.verb import Verb, run

_OF_A_FILE = 1000
"""Columns where no terminal is: what reads lines finds one for each model."""


def row(name: str) -> dict[str, Any]:
    """What the table says about one model."""
    recipe = shelf.load(name)
    figure = recipe.paper.figures[0].model_dump() if recipe.paper and recipe.paper.figures else None
    return {
        "name": name,
        "title": recipe.title,
        "description": recipe.description,
        "paper": recipe.paper.citation if recipe.paper else None,
        "published": figure,
        "profiles": shelf.profiles(name),
    }


@click.command("list", cls=Verb)
@click.option("--json", "as_json", is_flag=True, help="Write a JSON list instead of a table.")
def command(as_json: bool) -> None:
    """Show the models of the zoo with the figure that their paper reports.

    \b
    Examples:
      tfnmt list
      tfnmt list --json
    """
    rows = [row(name) for name in shelf.names()]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("model", "what it is", "published", "profiles", box=None, pad_edge=False)
    for entry in rows:
        table.add_row(entry["name"], entry["description"], published(entry["published"]), ", ".join(entry["profiles"]))
    console = Console()
    if not console.is_terminal:
        console.width = _OF_A_FILE
    console.print(table)


def published(figure: Mapping[str, Any] | None) -> str:
    """A figure with what it measures, such as `26.75 BLEU`."""
    if figure is None:
        return ""
    metric, _, _ = figure["metric"].partition(",")
    return f"{'> ' if figure['above'] else ''}{figure['value']:.2f} {metric}"


if __name__ == "__main__":
    run(command, "python -m tfnmt.zoo.list")
