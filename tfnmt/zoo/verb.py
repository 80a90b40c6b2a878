"""What all commands share: they start quickly, speak UTF-8, and end a user's mistake with one plain message."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

import click

from tfnmt.errors import UserError, nearest
from tfnmt.processors import threads_of_an_operation


class Verb(click.Command):
    """One command. A `UserError` becomes a message and exit code 1, an unknown option names the nearest one.

    So does a file that the system will not have: a name that is too long, a directory that may not be read.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("context_settings", {"help_option_names": ["-h", "--help"], "max_content_width": 120})
        super().__init__(*args, **kwargs)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            known = [option for parameter in self.get_params(ctx) for option in parameter.opts]
            raise click.UsageError(
                f"No such option '{error.option_name}'. {nearest(error.option_name, known)}", ctx
            ) from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except UserError as error:
            raise click.ClickException(str(error)) from None
        except OSError as error:
            if error.filename is None:
                raise
            raise click.ClickException(f"Cannot use '{error.filename}': {error.strerror}.") from None


def run(command: click.Command, name: str) -> None:
    """Run a command as the whole program.

    Files of this package are UTF-8 by definition, so the standard streams are too, whatever the locale says.
    """
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape" if stream is sys.stdin else "replace")
    command.main(prog_name=name)


def load_tensorflow() -> None:
    """Import TensorFlow and Keras without their start-up messages.

    Their C++ side writes to the file descriptor before anybody can set its level, so the descriptor itself is turned
    aside during the import. If the import fails, what was written is shown. Commands work on several batches at once,
    so that an operation has one processor.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    with _standard_error_aside():
        import keras  # noqa: F401
        import tensorflow as tf
    tf.get_logger().setLevel("ERROR")
    threads_of_an_operation(1)


@contextlib.contextmanager
def _standard_error_aside() -> Iterator[None]:
    sys.stderr.flush()
    kept = os.dup(2)
    with tempfile.TemporaryFile() as aside:
        os.dup2(aside.fileno(), 2)
        try:
            yield
        except BaseException:
            aside.seek(0)
            os.write(kept, aside.read())
            raise
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def override_option(command: Any) -> Any:
    """`--set key=value`, any number of times."""
    return click.option(
        "--set", "overrides", metavar="KEY=VALUE", multiple=True, callback=_as_utf8,
        help="Override any key of the recipe, such as training.minutes=30; the value is TOML. Repeatable.",
    )(command)  # fmt: skip


def _as_utf8(_context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Under an ASCII locale Python hands over UTF-8 arguments as lone surrogates; this mends them."""
    return tuple(os.fsencode(value).decode("utf-8", "replace") for value in values)
