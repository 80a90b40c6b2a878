"""Options that a command takes as one argument."""

from typing import Any

import click
from click.testing import CliRunner

from tfnmt.zoo.gathered_options import gathered

with_size = gathered(
    "size",
    lambda width, height: (width, height),
    click.option("--width", type=int, default=1),
    click.option("--height", type=int, default=2),
)
with_place = gathered("place", lambda size, corner: (corner, size), click.option("--corner", default="left"))


@click.command()
@click.argument("name")
@with_size
@with_place
@click.option("--colour", default="red")
def draw(name: str, place: Any, colour: str) -> None:
    """Draws."""
    click.echo(f"{name} {place} {colour}")


def written(*arguments: str) -> str:
    result = CliRunner().invoke(draw, arguments)
    assert result.exit_code == 0, result.output
    return result.output.strip()


def test_the_command_gets_one_argument_and_keeps_its_own() -> None:
    assert written("box") == "box ('left', (1, 2)) red"
    assert written("box", "--height", "5", "--corner", "right", "--colour", "blue") == "box ('right', (1, 5)) blue"


def test_the_help_lists_the_options_in_their_order() -> None:
    text = written("--help")
    assert "Draws." in text
    positions = [text.index(option) for option in ("--width", "--height", "--corner", "--colour")]
    assert positions == sorted(positions)
