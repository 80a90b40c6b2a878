"""The console script `tfnmt`: one verb each for what one does with a translator."""

from __future__ import annotations

import importlib

import click

import tfnmt
from tfnmt.errors import nearest
from tfnmt.zoo.verb import run

VERBS = {
    "list": "Show the models of the zoo.",
    "show": "Show one model: its card and its whole recipe.",
    "train": "Train a model; without data, the demo.",
    "translate": "Translate files or standard input, line by line.",
    "evaluate": "Measure a model, or a file of translations.",
    "score": "Give the log-probability of given pairs.",
    "align": "Draw attention, write word alignments and measure them.",
    "compare": "Show translations of several systems side by side.",
    "curves": "Draw the learning curves of several runs.",
    "lexicon": "Build a bilingual lexicon from word alignments.",
    "average": "Average the last checkpoints of a run.",
    "export": "Write a SavedModel for TensorFlow Serving.",
}


class Verbs(click.Group):
    """Imports a verb's module only when that verb is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            raise click.UsageError(f"No such verb '{cmd_name}'. {nearest(cmd_name, VERBS)}", ctx)
        command: click.Command = importlib.import_module(f"tfnmt.zoo.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


@click.command(
    cls=Verbs,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
    epilog="`tfnmt VERB --help` explains a verb with examples.",
)
@click.version_option(tfnmt.__version__, prog_name="tfnmt")
def command() -> None:
    """Classic neural machine translation on TensorFlow and Keras.

    \b
    tfnmt train rnnsearch50                    train a translator on the built-in corpus and show it
    tfnmt translate runs/demo-rnnsearch50      then type sentences
    """


def main() -> None:
    """The entry point of the console script."""
    run(command, "tfnmt")
