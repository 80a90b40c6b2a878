"""Whatever a user hands in is taken, or refused by a message: no traceback, no hang, nothing written elsewhere.

The ordinary suite draws a few inputs of each kind. `make fuzz` draws more than 100,000 (`TFNMT_FUZZ_INPUTS`, shared
among the kinds by what one costs).
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from hypothesis import strategies as st

from tests.fuzz import inputs
from tests.fuzz.drawing import drawn
from tfnmt.corpora.parallel_text import ParallelText
from tfnmt.errors import UserError
from tfnmt.text.lexicon import Lexicon
from tfnmt.text.vocabulary import Vocabulary
from tfnmt.zoo import main, shelf


@contextmanager
def file(content: bytes, ending: str = "") -> Iterator[Path]:
    """A file with this content in a directory of its own, in which nothing else may appear."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / f"given{ending}"
        path.write_bytes(content)
        yield path
        assert list(Path(directory).iterdir()) == [path]


def taken(read: Callable[[], Any]) -> None:
    """It is read, or refused in words that name something."""
    try:
        read()
    except UserError as refusal:
        assert len(str(refusal)) > 20


@drawn(0.2, content=inputs.RECIPES)
def test_recipes(content: bytes) -> None:
    with file(content, ".toml") as path:
        taken(lambda: shelf.load(str(path)))


@drawn(0.2, overrides=st.lists(inputs.OVERRIDES, min_size=1, max_size=3))
def test_overrides(overrides: list[str]) -> None:
    taken(lambda: shelf.load("rnnsearch50", "small", overrides))


@drawn(0.2, source=inputs.text_files(), target=inputs.text_files())
def test_corpora(source: tuple[str, bytes], target: tuple[str, bytes]) -> None:
    with file(source[1], source[0]) as one, file(target[1], target[0]) as other:
        taken(lambda: list(ParallelText(one, other)))
        taken(lambda: list(ParallelText.from_tsv(one)))


@drawn(0.15, content=inputs.VOCABULARIES)
def test_vocabularies(content: bytes) -> None:
    with file(content) as path:
        taken(lambda: Vocabulary.load(path))


@drawn(0.15, content=inputs.LEXICONS)
def test_lexicons(content: bytes) -> None:
    with file(content) as path:
        taken(lambda: Lexicon.load(path))


@drawn(0.1, arguments=inputs.COMMAND_LINES)
def test_command_lines(arguments: list[str]) -> None:
    """None of these names text or a model, so that whatever is said, nothing is trained."""
    with tempfile.TemporaryDirectory() as directory, chdir(directory):
        result = CliRunner().invoke(
            main.command, [*arguments, "--source-side"] if arguments[:1] == ["train"] else arguments
        )
        assert result.exception is None or isinstance(result.exception, SystemExit), (arguments, result.exception)
        assert list(Path.cwd().iterdir()) == []
