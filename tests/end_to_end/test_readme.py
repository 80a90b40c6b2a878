"""What the README says is so: its table, its commands and its snippets."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.copy_run import CopyRun
from tests.processes import ROOT
from tfnmt.zoo import main, shelf
from tfnmt.zoo.list import published, row

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)
COMMANDS = [line for language, block in BLOCKS if language == "bash" for line in block.splitlines()]
TFNMT = [shlex.split(line)[1:] for line in COMMANDS if line.startswith("tfnmt ")]
PYTHON = [block for language, block in BLOCKS if language == "python"]


def test_the_table_is_that_of_the_zoo() -> None:
    table = README.split("<!-- zoo:")[1].split("-->\n")[1].split("<!--")[0].splitlines()
    expected = [
        f"| [`{name}`](zoo/{name}.md) | {entry['description']} | {published(entry['published'])} "
        f"| {', '.join(entry['profiles'])} |"
        for name, entry in ((name, row(name)) for name in shelf.names())
    ]
    assert table[2:] == expected


def test_every_link_leads_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert target.startswith("http") or (ROOT / target).exists(), target


def test_the_files_named_in_commands_are_there() -> None:
    for script in (line.split()[0] for line in COMMANDS if line.startswith("./")):
        assert (ROOT / script).is_file()


def test_the_real_job_is_five_commands() -> None:
    assert [arguments[0] for arguments in TFNMT] == ["train", "evaluate", "translate", "align", "export"]


def test_commands_and_snippets_run(
    copy_run: CopyRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("mine", "one", "two"):
        shutil.copytree(copy_run.directory, tmp_path / "runs" / name)
    shutil.copytree(copy_run.data, tmp_path / "mydata")
    train, *others = TFNMT
    for arguments in ([train[0], "--help"], *others):
        result = CliRunner().invoke(main.command, arguments)
        assert result.exit_code == 0, result.output
    # the arguments of `train` are those that made the run, but for its sizes
    assert train[1:8] == [*copy_run.arguments[1:2], "--data", "mydata", *copy_run.arguments[4:8]]
    for made in ("lengths.png", "test.out.de", "test.align", "attention/1.png", "serving/mine/1/saved_model.pb"):
        assert (tmp_path / made).is_file(), made
    for snippet in PYTHON:
        exec(compile(snippet, "README.md", "exec"), {})
    assert (tmp_path / "both.keras").is_file()
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 1 + 2 + 1 + 1
