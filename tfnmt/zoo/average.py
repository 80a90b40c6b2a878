"""`tfnmt average`: the mean of the last checkpoints of a run as one translator."""

from __future__ import annotations

from pathlib import Path

import click

from tfnmt.errors import UserError
from tfnmt.zoo import translators
from tfnmt.zoo.run_directory import RunDirectory
from tfnmt.zoo.verb import Verb, load_tensorflow, run


@click.command("average", cls=Verb)
@click.argument("model")
@click.option("--last", type=click.IntRange(2), help="How many of the last checkpoints.  [default: all that are kept]")
@click.option("--output", help="The file to write.  [default: averaged.keras in the run's directory]")
def command(model: str, last: int | None, output: str | None) -> None:
    """Average the weights of a run's last checkpoints, as Vaswani et al. (2017) do for what they report.

    MODEL is the directory of a run that keeps several checkpoints: `training.keep_checkpoints` says how many,
    `training.save_minutes` how far apart. The translator that is written does what that of the run does.

    \b
    Examples:
      tfnmt train transformer_base --run runs/mine --set training.keep_checkpoints=5 --set training.save_minutes=10
      tfnmt average runs/mine --last 5
      tfnmt evaluate runs/mine/averaged.keras
    """
    directory = RunDirectory(model)
    if not directory.exists:
        raise UserError(f"'{model}' is not the directory of a run; a mean needs the checkpoints that are kept there.")
    translators.find(model)
    load_tensorflow()
    from tfnmt.training.averaging import average_checkpoints

    translator = translators.load(model)
    averaged = average_checkpoints(translator.network, directory.checkpoints / "last", last)
    path = Path(output) if output else directory.path / "averaged.keras"
    if path.suffix != ".keras":
        raise UserError(f"--output {path}: the name of a translator ends in .keras.")
    translator.save(path)
    steps = ", ".join(checkpoint.name.rpartition("-")[2] for checkpoint in averaged)
    click.echo(f"{path}: the mean of the checkpoints of steps {steps}")


if __name__ == "__main__":
    run(command, "python -m tfnmt.zoo.average")
