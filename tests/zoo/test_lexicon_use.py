"""The options of a lexicon, as one argument of a command."""

from __future__ import annotations

from typing import Any

import click
from click.testing import CliRunner

from tfnmt.zoo.lexicon_use import LexiconUse, with_lexicon


def given(*arguments: str) -> Any:
    """What a command with these options is given as `lexicon`."""
    seen = []

    @click.command()
    @click.argument("model")
    @with_lexicon
    def command(model: str, lexicon: LexiconUse | None) -> None:
        seen.append((model, lexicon))

    result = CliRunner().invoke(command, ["mine", *arguments])
    assert result.exit_code == 0, result.output
    ((model, lexicon),) = seen
    assert model == "mine"
    return lexicon


def test_no_option_is_none() -> None:
    assert given() is None


def test_options_are_one_argument() -> None:
    assert given("--lexicon", "l.tsv") == LexiconUse("l.tsv")
    assert given("--candidates", "30000", "10", "--lexicon-words", "lower-case") == LexiconUse(
        None, "lower-case", (30000, 10)
    )
