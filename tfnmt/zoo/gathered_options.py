"""Options of the command line that many commands share and take as one argument."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

Command = Callable[..., Any]


def gathered(
    argument: str, gather: Callable[..., Any], *options: Callable[[Command], Command]
) -> Callable[[Command], Command]:
    """A decorator that gives a command one argument in place of several options.

    Args:
        argument: of the command.
        gather: makes it of the options' values, which it takes by their names; it may take another gathered argument
            too, if that decorator stands outside this one.
        options: `click.option(...)`, in the order of the help text.
    """
    names = list(inspect.signature(gather).parameters)

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def with_one_argument(*arguments: Any, **values: Any) -> Any:
            made = gather(**{name: values.pop(name) for name in names})
            return command(*arguments, **{argument: made}, **values)

        decorated: Command = with_one_argument
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate
