"""`tfnmt show`."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from tfnmt.zoo import shelf, show


def test_what_is_shown_is_a_recipe(tmp_path: Path) -> None:
    shown = CliRunner().invoke(show.command, ["rnnsearch50", "--profile", "small", "--set", "training.seed=7"]).stdout
    assert shown.startswith("# # rnnsearch50\n#\n# The first attention model")
    path = tmp_path / "mine.toml"
    path.write_text(shown, encoding="utf-8")
    assert shelf.load(str(path)) == shelf.load("rnnsearch50", "small", ["training.seed=7"])


def test_a_program_reads_it_as_json() -> None:
    shown = json.loads(CliRunner().invoke(show.command, ["rnnencdec50", "--json"]).stdout)
    assert shown["model"]["encoder"]["kind"] == "unidirectional"
    assert shown["source"]["vocabulary_size"] == 30_000
    assert shown["training"]["minutes"] is None
