"""What a run tells: on the terminal, and in its log."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from tfnmt.training.observer import Observer


class Journal:
    """Takes lines and tables of rich, and shows them on the terminal and in the log alike.

    Args:
        log: the file, which is gone on with.
    """

    def __init__(self, log: Path) -> None:
        from rich.console import Console

        self._stream = log.open("a", encoding="utf-8", buffering=1)
        self._consoles = [
            Console(markup=False, highlight=False),
            Console(file=self._stream, force_terminal=False, markup=False, highlight=False, width=120),
        ]

    def __call__(self, message: Any) -> None:
        for console in self._consoles:
            console.print(message, soft_wrap=isinstance(message, str))

    def progress(self) -> list[Observer]:
        """Tells of the steps of a training: a moving bar on a terminal, lines elsewhere and in the log."""
        from tfnmt.training.progress import progress

        return [progress(console) for console in self._consoles]

    def close(self) -> None:
        """Nothing is told any more."""
        self._stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class Silence(Journal):
    """Tells nothing: for the workers of a run beside the chief, who tells for all."""

    def __init__(self) -> None:
        self._consoles = []

    def close(self) -> None:
        pass
