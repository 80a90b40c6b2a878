"""`tfnmt export`: a SavedModel that takes raw sentences."""

from __future__ import annotations

import click

from tfnmt.errors import UserError
from tfnmt.zoo import translators
from tfnmt.zoo.model_use import ModelUse, with_translation_use
from tfnmt.zoo.verb import Verb, load_tensorflow, run


@click.command("export", cls=Verb)
@click.argument("model")
@click.argument("directory")
@click.option("--version", help="The number of this version.  [default: one more than the highest there]")
@click.option(
    "--beam-size", type=click.IntRange(1), help="Places in the beam of every request.  [default: the model's own]"
)
@click.option(
    "--n-best", type=click.IntRange(1), help="Translations that the signature n_best returns.  [default: the beam]"
)
@click.option(
    "--weights",
    type=click.Choice(["float32", "bfloat16", "int8"]),
    default="float32",
    show_default=True,
    help="How the SavedModel keeps its weights; the smaller, the less exact.",
)
@click.option("--keras", "keras_file", metavar="FILE", help="Write the same translator as one .keras file, too.")
@with_translation_use
def command(
    model: str, directory: str, version: str | None, beam_size: int | None, n_best: int | None, weights: str,
    keras_file: str | None, use: ModelUse,
) -> None:  # fmt: skip
    """Write a trained model as the next version in DIRECTORY, for TensorFlow Serving and every TensorFlow runtime.

    The SavedModel takes raw strings and gives raw strings. For Python programs use the run's translator.keras with
    keras.models.load_model instead: that function does not load a SavedModel. Several models with commas between them
    leave as one, their ensemble. A model of several target languages leaves with all of them, each request naming its
    own, or by --to with one alone.

    \b
    Examples:
      tfnmt export runs/demo-rnnsearch50 serving/en-de
      tfnmt export runs/mine serving/en-de --version 7 --beam-size 8 --n-best 4
      tfnmt export runs/mine serving/small --weights int8
      tfnmt export runs/one,runs/two serving/both --keras both.keras
    """
    paths = translators.find_all(model)
    if keras_file and not keras_file.endswith(".keras"):
        raise UserError(f"--keras {keras_file}: the name of a file for keras.models.load_model ends in .keras.")
    load_tensorflow()
    from tfnmt.export.saved_model import export_saved_model

    translator = translators.load_all(model, use)
    size = beam_size or translator.beam_size
    written = export_saved_model(translator, directory, version, size, n_best or size, weights)
    click.echo(f"SavedModel for TensorFlow Serving: {written}")
    if keras_file:
        translator.save(keras_file)
    if keras_file or len(paths) == 1:
        click.echo(f"For keras.models.load_model in Python: {keras_file or paths[0]}")


if __name__ == "__main__":
    run(command, "python -m tfnmt.zoo.export")
