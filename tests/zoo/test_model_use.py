import click
import pytest
from click.testing import CliRunner

from tfnmt.zoo.lexicon_use import LexiconUse
from tfnmt.zoo.model_use import AS_TOLD, ModelUse, with_model_use, with_translation_use


@click.command()
@with_translation_use
def translating(use: ModelUse) -> None:
    click.echo(repr(use))


@click.command()
@with_model_use
def reading(use: ModelUse) -> None:
    click.echo(repr(use))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], AS_TOLD),
        (["--to", "fr"], ModelUse(to="fr")),
        (["--combine", "probabilities"], ModelUse(combination="probabilities")),
        (["--alpha", "0.5"], ModelUse(alpha=0.5)),
        (["--lexicon", "x"], ModelUse(lexicon=LexiconUse(file="x"))),
        (["--alpha", "1", "--candidates", "9", "3"], ModelUse(alpha=1.0, lexicon=LexiconUse(candidates=(9, 3)))),
    ],
)
def test_a_command_that_translates_gets_what_its_options_ask_for(options: list[str], expected: ModelUse) -> None:
    assert CliRunner().invoke(translating, options).stdout == f"{expected!r}\n"


def test_a_command_that_only_reads_has_the_options_of_a_reading_alone() -> None:
    assert CliRunner().invoke(reading, ["--to", "fr"]).stdout == f"{ModelUse(to='fr')!r}\n"
    for option in ("--alpha", "--lexicon"):
        refused = CliRunner().invoke(reading, [option, "1"]).stderr
        assert "No such option" in refused and option in refused


@pytest.mark.parametrize(("option", "value"), [("--alpha", "2"), ("--combine", "sums")])
def test_what_is_not_known_is_refused(option: str, value: str) -> None:
    result = CliRunner().invoke(translating, [option, value])
    assert result.exit_code == 2 and option in result.stderr
