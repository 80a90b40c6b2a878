"""Reads the tables of words beside this file."""

from __future__ import annotations

from importlib.resources import files

Row = list[list[str]]


def rows(name: str) -> list[Row]:
    """The lines of `<name>.txt`, each a list of columns, each a list of words; comments are left out."""
    text = files(__package__).joinpath(f"{name}.txt").read_text(encoding="utf-8")
    return [[cell.split() for cell in line.split("|")] for line in text.splitlines() if not line.startswith("#")]
