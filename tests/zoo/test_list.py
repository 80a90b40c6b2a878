"""`tfnmt list`."""

from __future__ import annotations

import json

from click.testing import CliRunner

from tfnmt.zoo import list as list_verb
from tfnmt.zoo import shelf


def test_every_model_is_listed_on_one_line_with_its_published_figure() -> None:
    header, *lines = CliRunner().invoke(list_verb.command, env={"COLUMNS": "60"}).stdout.splitlines()
    assert header.split() == ["model", "what", "it", "is", "published", "profiles"]
    line_of = dict(zip((line.split()[0] for line in lines), lines, strict=True))
    assert list(line_of) == shelf.names()
    assert " 26.75 BLEU " in line_of["rnnsearch50"]
    assert " 6.70 perplexity " in line_of["luong_global_concat"]  # Luong et al. 2015, section 5.3
    assert " > 7.00 perplexity " in line_of["luong_local_m_dot"]  # table 4: "x"


def test_a_program_reads_it_as_json() -> None:
    rows = json.loads(CliRunner().invoke(list_verb.command, ["--json"]).stdout)
    assert [row["name"] for row in rows] == shelf.names()
    published = {row["name"]: row["published"]["value"] for row in rows}
    assert published["rnnencdec30"] == 13.93  # Bahdanau et al. 2015, table 1
    assert all(row["profiles"][0] == "paper" and "small" in row["profiles"] for row in rows)
