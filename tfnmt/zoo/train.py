"""`tfnmt train MODEL`: from a recipe and text to a translator."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from tfnmt.errors import UserError
from tfnmt.zoo import pairs, shelf, texts
from tfnmt.zoo.journal import Journal
from tfnmt.zoo.recipe import Recipe
from tfnmt.zoo.run_directory import RunDirectory
from tfnmt.zoo.verb import Verb, load_tensorflow, override_option, run

DEMO_PROFILE = "small"
INTERRUPTED = 130
"""The exit code of a command that Ctrl-C ended."""


def text_options(command: Any) -> Any:
    """`--train-source`, `--train-target`, `--train-tsv` and the same for the other two parts."""
    for split in reversed(texts.SPLITS):
        for side, what in (("tsv", "Tab-separated"), ("target", "Target"), ("source", "Source")):
            command = click.option(
                f"--{split}-{side}", multiple=True, metavar="FILE", help=f"{what} text for {split}. Repeatable."
            )(command)
    return command


@click.command("train", cls=Verb)
@click.argument("model")
@click.option("--data", metavar="DIRECTORY", help="A directory with train.en, train.de, valid.en, ... test.de.")
@click.option(
    "--languages", metavar="SOURCE-TARGET", help="Such as en-de: ends of the files' names, tokenizers' rules."
)
@text_options
@click.option("--profile", help="The variant of the recipe.  [default: paper; for the demo: small]")
@click.option("--run", "directory", help="The directory of the run.  [default: one in runs/ by model and languages]")
@click.option("--resume", is_flag=True, help="Insist on going on with a run that is there.")
@override_option
def command(
    model: str, data: str | None, languages: str | None, profile: str | None, directory: str | None, resume: bool,
    overrides: tuple[str, ...], **files: tuple[str, ...],
) -> None:  # fmt: skip
    """Train a model of the zoo, or of your own recipe.

    MODEL is a name from `tfnmt list`, the path of a recipe file, or the directory of a run to go on with. Without text
    it is the demo: the built-in corpus in the small profile, a few minutes on two CPU cores. Files may be compressed
    (.gz, .xz, .zst). The same command again goes on where the run stopped; Ctrl-C saves and ends it.

    \b
    Examples:
      tfnmt train rnnsearch50
      tfnmt train rnnsearch50 --data multi30k --languages en-de --profile small --set training.minutes=60
      tfnmt train ./mine.toml --train-source a.en --train-target a.de --valid-source v.en --valid-target v.de
      tfnmt train runs/rnnsearch50-small-en-de --resume --set training.minutes=90
    """
    going_on = RunDirectory(model).exists
    recipe = _recipe(
        str(RunDirectory(model).recipe_file) if going_on else model, profile, overrides, data, languages, files
    )
    place = RunDirectory(directory or (model if going_on else _default_directory(recipe)))
    if resume and not place.exists:
        raise UserError(f"There is no run in '{place.path}' to go on with. Leave out --resume to begin it.")
    found = place.exists
    changes = place.open(recipe)
    with Journal(place.log) as tell:
        if not pairs.has_texts(recipe):
            _introduce_demo(recipe, tell)
        tell(f"{'Going on with the run in' if found else 'New run in'} {place.path}")
        for change in changes:
            tell(f"Changed: {change}")
        load_tensorflow()
        from tfnmt.zoo.training_run import train

        end = train(recipe, place, tell)
        if end.reason.startswith("interrupted"):
            raise click.exceptions.Exit(INTERRUPTED)
        if end.reason.startswith("already"):
            tell(f"The run is {end.reason}, by --set training.minutes=... (or steps, or epochs).")
        from tfnmt.zoo.showing import show

        show(recipe, place, tell)


def _recipe(
    model: str, profile: str | None, overrides: tuple[str, ...], data: str | None, languages: str | None,
    files: dict[str, tuple[str, ...]],
) -> Recipe:  # fmt: skip
    options: dict[str, Any] = {"corpus": {}}
    if languages:
        source, target = texts.languages(languages)
        options |= {"source": {"language": source}, "target": {"language": target}}
    for split in texts.SPLITS:
        options["corpus"] |= texts.named(split, *(files[f"{split}_{side}"] for side in ("source", "target", "tsv")))
    recipe = shelf.load(model, profile or shelf.PAPER, overrides, options)
    if data:
        options["corpus"] |= texts.from_directory(data, recipe.source.language, recipe.target.language)
        recipe = shelf.load(model, profile or shelf.PAPER, overrides, options)
    if profile is None and recipe.profile == shelf.PAPER and not pairs.has_texts(recipe):
        profile = DEMO_PROFILE if DEMO_PROFILE in shelf.profiles(model) else shelf.PAPER
        recipe = shelf.load(model, profile, overrides, options)
    return recipe


def _default_directory(recipe: Recipe) -> Path:
    if not pairs.has_texts(recipe):
        return Path("runs") / f"demo-{recipe.name}"
    return Path("runs") / f"{recipe.name}-{recipe.profile}-{recipe.source.language}-{recipe.target.language}"


def _introduce_demo(recipe: Recipe, tell: Callable[[Any], None]) -> None:
    direction = f"{recipe.source.language}-{recipe.target.language}"
    tell(f"The demo: {recipe.title}, profile {recipe.profile}, learns {direction} from the built-in corpus.")
    tell(f"The real thing, on text of your own: tfnmt train {recipe.name} --data DIRECTORY --languages {direction}\n")


if __name__ == "__main__":
    run(command, "python -m tfnmt.zoo.train")
