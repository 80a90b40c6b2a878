"""What all commands share."""

from __future__ import annotations

from pathlib import Path

import click
from click.testing import CliRunner

from tests.processes import python
from tfnmt.errors import UserError
from tfnmt.zoo.verb import Verb, override_option


@click.command(cls=Verb)
@override_option
def command(overrides: tuple[str, ...]) -> None:
    raise UserError(f"There is no {overrides[0]}.")


def test_a_user_s_mistake_is_a_message_and_an_exit_code() -> None:
    result = CliRunner().invoke(command, ["--set", "title=Ä"])
    assert (result.exit_code, result.stderr) == (1, "Error: There is no title=Ä.\n")


def test_loading_tensorflow_says_nothing() -> None:
    program = (
        "from tfnmt.zoo.verb import load_tensorflow\nload_tensorflow()\n"
        "import tensorflow as tf\nprint(tf.matmul([[2.0]], [[3.0]]).numpy()[0, 0])"
    )
    assert python("-c", program, TF_CPP_MIN_LOG_LEVEL=None) == (0, "6.0\n", "")


def test_a_failing_import_shows_what_was_said() -> None:
    program = (
        "import os, tfnmt.zoo.verb as verb\n"
        "with verb._standard_error_aside():\n"
        "    os.write(2, b'no such library')\n"
        "    raise ImportError('broken')"
    )
    ended = python("-c", program)
    assert ended.code == 1
    assert ended.complained.startswith("no such libraryTraceback")


def test_text_is_utf_8_whatever_the_locale(tmp_path: Path) -> None:  # C05
    program = (
        "import sys; from tfnmt.zoo.main import main\n"
        "sys.argv[1:] = ['show', 'rnnsearch50', '--set', b'title=\\xd0\\xaf'.decode('ascii', 'surrogateescape')]\n"
        "main()"
    )
    ended = python("-c", program, LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert 'title = "Я"' in ended.output()


def test_a_name_that_the_system_will_not_have_is_a_message() -> None:
    @click.command(cls=Verb)
    def reading() -> None:
        Path("9" * 5000).exists()

    result = CliRunner().invoke(reading, [])
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: Cannot use '999") and result.stderr.endswith("': File name too long.\n")
