"""`tfnmt train MODEL`: from a recipe and text to a translator."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tfnmt.errors import UserError
from tfnmt.processors import processors, threads_of_an_operation
from tfnmt.zoo import pairs, shelf, texts
from tfnmt.zoo.effective import effective
from tfnmt.zoo.journal import Journal, Silence
from tfnmt.zoo.recipe import Recipe
from tfnmt.zoo.run_directory import RunDirectory
from tfnmt.zoo.verb import Verb, load_tensorflow, override_option, run

if TYPE_CHECKING:
    from tfnmt.training.strategies import Strategy
    from tfnmt.training.team import Team

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
    "--languages",
    metavar="SOURCE-TARGET",
    help="Such as en-de, or en-de,fr where a model has several target languages: "
    "ends of the files' names, tokenizers' rules.",
)
@text_options
@click.option("--profile", help="The variant of the recipe.  [default: paper; for the demo: small]")
@click.option("--run", "directory", help="The directory of the run.  [default: one in runs/ by model and languages]")
@click.option(
    "--strategy",
    default="auto",
    show_default=True,
    metavar="NAME",
    help="auto, single, mirrored (all devices of this machine), multiworker (several processes, by TF_CONFIG), tpu.",
)
@click.option(
    "--cpu-devices", type=click.IntRange(1), default=1, help="Split the CPU into so many devices, to try mirrored."
)
@click.option(
    "--start", metavar="MODEL", help="A trained model to start from, as some models of the zoo do: a run or a file."
)
@click.option("--resume", is_flag=True, help="Insist on going on with a run that is there.")
@override_option
def command(
    model: str, data: str | None, languages: str | None, profile: str | None, directory: str | None, resume: bool,
    start: str | None, overrides: tuple[str, ...], strategy: str, cpu_devices: int, **files: tuple[str, ...],
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
      tfnmt train rnnsearch50 --strategy mirrored --cpu-devices 2
      tfnmt train multitask --data multi30k --languages en-de,fr --profile small
      tfnmt train multitask --start runs/multitask-small-en-de-fr --data multi30k --languages en-cs --profile small
    """
    going_on = RunDirectory(model).exists
    if going_on:
        recipe = _of_the_run(RunDirectory(model), profile, overrides, data, languages, start, files)
    else:
        recipe = effective(model, profile, overrides, data, languages, files, start)
    place = RunDirectory(directory or (model if going_on else _default_directory(recipe)))
    if resume and not place.exists:
        raise UserError(f"There is no run in '{place.path}' to go on with. Leave out --resume to begin it.")
    place.check(recipe)
    load_tensorflow()
    from tfnmt.training.strategies import made
    from tfnmt.training.team import team
    from tfnmt.zoo.training_run import lanes

    threads_of_an_operation(max(1, processors() // (cpu_devices * lanes(recipe, cpu_devices))))
    devices = made(strategy, cpu_devices)
    members = team(devices)
    with _leaving_without_the_others(members):
        (_lead if members.is_chief else _follow)(recipe, place, devices)


def _lead(recipe: Recipe, place: RunDirectory, strategy: Strategy) -> None:
    """Train as the process that writes, alone or as the chief of others; then show what was learnt."""
    from tfnmt.training.lock import RunLock
    from tfnmt.zoo.showing import show
    from tfnmt.zoo.training_run import train

    found = place.exists
    with contextlib.ExitStack() as stack:
        stack.enter_context(RunLock(place.path))
        changes = place.open(recipe)
        tell = stack.enter_context(Journal(place.log))
        if not pairs.has_texts(recipe):
            _introduce_demo(recipe, tell)
        tell(f"{'Going on with the run in' if found else 'New run in'} {place.path}")
        for change in changes:
            tell(f"Changed: {change}")
        with _stopped_by_a_file(place):
            end = train(recipe, place, tell, strategy)
        if end.interrupted:
            raise click.exceptions.Exit(INTERRUPTED)
        if end.nothing_to_do:
            tell("To go on: the same command with --set training.minutes=... (or steps, epochs, patience).")
        show(recipe, place, tell)


def _follow(recipe: Recipe, place: RunDirectory, strategy: Strategy) -> None:
    """Train as one of the workers beside the chief."""
    from tfnmt.zoo.training_run import train

    if train(recipe, place, Silence(), strategy).interrupted:
        raise click.exceptions.Exit(INTERRUPTED)


@contextlib.contextmanager
def _stopped_by_a_file(place: RunDirectory) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UserError(
            f"The run in '{place.path}' was stopped by a file: {error}. Its last checkpoint is intact: make room, or "
            f"put the file back, and run the command again."
        ) from error


@contextlib.contextmanager
def _leaving_without_the_others(members: Team) -> Iterator[None]:
    """A member that fails ends at once: TensorFlow's shutdown would wait for the others, and they for this one."""
    try:
        yield
    except UserError as error:
        if members.size == 1:
            raise
        click.echo(f"Error: {error}", err=True)
        sys.stdout.flush()
        os._exit(1)


def _of_the_run(
    place: RunDirectory, profile: str | None, overrides: tuple[str, ...], data: str | None, languages: str | None,
    start: str | None, files: dict[str, tuple[str, ...]],
) -> Recipe:  # fmt: skip
    """The recipe of a run that is there; what decided its weights and its text is in it already."""
    if profile or data or languages or start or any(files.values()):
        raise UserError(
            f"'{place.path}' is a run with text, languages and a profile of its own: --set changes other keys, --run "
            "begins another run."
        )
    return shelf.load(str(place.recipe_file), overrides=overrides)


def _default_directory(recipe: Recipe) -> Path:
    if not pairs.has_texts(recipe):
        return Path("runs") / f"demo-{recipe.name}"
    return Path("runs") / "-".join((recipe.name, recipe.profile, recipe.source.language, *recipe.languages))


def _introduce_demo(recipe: Recipe, tell: Callable[[Any], None]) -> None:
    direction = f"{recipe.source.language}-{','.join(recipe.languages)}"
    tell(f"The demo: {recipe.title}, profile {recipe.profile}, learns {direction} from the built-in corpus.")
    tell(f"The real thing, on text of your own: tfnmt train {recipe.name} --data DIRECTORY --languages {direction}\n")


if __name__ == "__main__":
    run(command, "python -m tfnmt.zoo.train")
