"""`tfnmt list`."""

from __future__ import annotations

import json

from click.testing import CliRunner

from tfnmt.zoo import list as list_verb
from tfnmt.zoo import shelf


def test_every_model_is_listed_with_its_published_figure() -> None:
    lines = CliRunner().invoke(list_verb.command, env={"COLUMNS": "120"}).stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == shelf.names()
    assert "26.75 BLEU" in next(line for line in lines if line.startswith("rnnsearch50"))


def test_a_program_reads_it_as_json() -> None:
    rows = json.loads(CliRunner().invoke(list_verb.command, ["--json"]).stdout)
    assert [row["name"] for row in rows] == shelf.names()
    published = {row["name"]: row["published"]["value"] for row in rows}
    assert published["rnnencdec30"] == 13.93  # Bahdanau et al. 2015, table 1
    assert all(row["profiles"][0] == "paper" and "small" in row["profiles"] for row in rows)
