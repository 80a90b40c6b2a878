"""`tfnmt show MODEL`: one model of the zoo."""

from __future__ import annotations

import json

import click

from tfnmt.zoo import shelf
from tfnmt.zoo.verb import Verb, override_option, run


@click.command("show", cls=Verb)
@click.argument("model")
@click.option("--profile", default=shelf.PAPER, show_default=True, help="The variant of the recipe.")
@override_option
@click.option("--json", "as_json", is_flag=True, help="Write the recipe as JSON.")
def command(model: str, profile: str, overrides: tuple[str, ...], as_json: bool) -> None:
    """Show a model's card and its effective recipe: every key with the value that training would use.

    MODEL is a name from `tfnmt list` or the path of a recipe file. The recipe is valid TOML, the card a comment above
    it, so the output can be the start of a recipe of your own.

    \b
    Examples:
      tfnmt show rnnsearch50
      tfnmt show rnnsearch50 --profile small --set model.encoder.units=256
      tfnmt show rnnsearch50 --profile small > mine.toml
      tfnmt show ./mine.toml --json
    """
    recipe = shelf.load(model, profile, overrides)
    if as_json:
        click.echo(json.dumps(recipe.model_dump(mode="json", serialize_as_any=True), ensure_ascii=False, indent=2))
        return
    for line in shelf.card(recipe.name).splitlines():
        click.echo(f"# {line}".rstrip())
    click.echo(f"\n{shelf.dumps(recipe)}", nl=False)


if __name__ == "__main__":
    run(command, "python -m tfnmt.zoo.show")
