"""A `.keras` file with anything wrong in it is loaded, or refused by a message; nothing in it runs or is written."""

from __future__ import annotations

import tempfile
from contextlib import chdir
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from tests.decoding.tiny import tiny_translator
from tests.fuzz.drawing import drawn
from tests.fuzz.model_files import ModelFile, model_files
from tfnmt.errors import UserError
from tfnmt.zoo import translators


@cache
def good() -> bytes:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "translator.keras"
        tiny_translator().save(path)
        return path.read_bytes()


@drawn(0.01, file=st.deferred(lambda: model_files(good())))
def test_model_files(file: ModelFile) -> None:
    with tempfile.TemporaryDirectory() as directory, chdir(directory):
        Path("given.keras").write_bytes(file.content)
        try:
            translators.load("given.keras").translate(["A man sleeps."])
        except UserError as refusal:
            assert len(str(refusal)) > 20
        assert [entry.name for entry in Path.cwd().iterdir()] == ["given.keras"]
