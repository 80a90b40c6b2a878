"""What commands compare: models, runs or files of translations, each under a name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class System:
    """The path of a model, a run or a file of translations, and what it is called."""

    path: str
    given_name: str = ""

    @classmethod
    def named(cls, text: str) -> System:
        """`NAME=PATH` or `PATH`, as the command line gives it."""
        name, equals, path = text.partition("=")
        return cls(path, name) if equals and not Path(text).exists() else cls(text)

    @property
    def name(self) -> str:
        """The given name, else the path."""
        return self.given_name or self.path

    @property
    def is_text(self) -> bool:
        """Whether it is a file of translations."""
        path = Path(self.path)
        return path.is_file() and path.suffix != ".keras"
