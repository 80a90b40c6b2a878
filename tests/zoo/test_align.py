"""`tfnmt align`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.copy_run import CopyRun, copy_sentences, start
from tfnmt.decoding.alignment import Alignment
from tfnmt.zoo import align, translators


def links(alignment: Alignment) -> str:
    return " ".join(f"{row.argmax()}-{target}" for target, row in enumerate(alignment.weights))


def test_each_word_is_linked_to_where_attention_was(copy_run: CopyRun, tmp_path: Path) -> None:
    sentences = [copy_sentences()[0], "", copy_sentences()[1]]
    source = tmp_path / "s.en"
    source.write_text("".join(f"{sentence}\n" for sentence in sentences), encoding="utf-8")
    own = ["--source", str(source), "--pictures", str(tmp_path / "pictures")]
    result = CliRunner().invoke(align.command, [str(copy_run.directory), *own])
    assert result.exit_code == 0, result.output
    translator = translators.load(str(copy_run.directory))
    assert result.stdout == "".join(f"{links(alignment)}\n" for alignment in translator.align(sentences))
    assert [len(line.split()) for line in result.stdout.split("\n")[:3]] == [len(line.split()) for line in sentences]
    pictures = sorted((tmp_path / "pictures").iterdir())
    assert [picture.name for picture in pictures] == ["1.png", "3.png"]
    assert all(picture.read_bytes().startswith(b"\x89PNG") for picture in pictures)
    forced = CliRunner().invoke(align.command, [str(copy_run.directory), *own[:2], "--target", str(source)])
    assert forced.stdout == result.stdout  # the model's own translation is the copy


def test_nothing_but_the_answer_is_said(copy_run: CopyRun, tmp_path: Path) -> None:
    source = tmp_path / "s.en"
    source.write_text(f"{copy_sentences()[0]}\n", encoding="utf-8")
    process = start("align", str(copy_run.directory), "--source", str(source))
    assert process.stderr == b""
    assert len(process.stdout.split()) == len(copy_sentences()[0].split())


def test_unequal_files_are_refused(copy_run: CopyRun, tmp_path: Path) -> None:
    for name, text in (("s.en", "w1\nw2\n"), ("t.de", "w1\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = ["--source", str(tmp_path / "s.en"), "--target", str(tmp_path / "t.de")]
    result = CliRunner().invoke(align.command, [str(copy_run.directory), *files])
    assert result.exit_code == 1
    assert "s.en' has 2" in result.stderr and "t.de' has 1" in result.stderr


def test_links_are_measured_by_those_of_people(copy_run: CopyRun, tmp_path: Path) -> None:
    """Both sides are `w0 w1`, in pieces that the model reads as words; each target word is linked to its copy."""
    texts = {"s.en": ["w4 w7 w9", "w2"], "t.de": ["w4 w7 w9", "w2"], "gold": ["0-0 1-1 2?0", "0?0"]}
    for name, rows in texts.items():
        (tmp_path / name).write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    links = tmp_path / "out.align"
    arguments = [str(copy_run.directory), "--source", str(tmp_path / "s.en"), "--target", str(tmp_path / "t.de")]
    arguments += ["--gold", str(tmp_path / "gold"), "--output", str(links)]
    result = CliRunner().invoke(align.command, [*arguments, "--json", "--pictures", str(tmp_path / "pictures")])
    assert result.exit_code == 0, result.output
    found = [set(row.split()) for row in links.read_text(encoding="utf-8").splitlines()]
    right_and_sure = len(found[0] & {"0-0", "1-1"})
    right = len(found[0] & {"0-0", "1-1", "2-0"}) + len(found[1] & {"0-0"})
    expected = {"precision": right / 4, "recall": right_and_sure / 2, "error_rate": 1 - (right_and_sure + right) / 6}
    report = json.loads(result.stdout)
    assert {name: report[name] for name in expected} == pytest.approx(expected)
    assert (report["links"], report["sure"], report["possible"]) == (4, 2, 4)
    assert report["recall"] > 0.4  # the copier looks at what it copies
    assert len(list((tmp_path / "pictures").iterdir())) == 2
    turned = CliRunner().invoke(align.command, [*arguments, "--gold-target-first"])
    assert turned.stdout.startswith("precision ") and "4 links; 2 sure and 2 only possible" in turned.stdout


def test_gold_links_beyond_the_words_are_refused(copy_run: CopyRun, tmp_path: Path) -> None:
    for name, text in (("s.en", "w1 w2\n"), ("t.de", "w1\n"), ("gold", "0-0 0-1\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = ["--source", str(tmp_path / "s.en"), "--target", str(tmp_path / "t.de"), "--gold", str(tmp_path / "gold")]
    result = CliRunner().invoke(align.command, [str(copy_run.directory), *files])
    assert result.exit_code == 1
    assert "gold, line 1: a link of source word 0 and target word 1, but there are 2 and 1 words" in result.stderr
    without = CliRunner().invoke(align.command, [str(copy_run.directory), *files[:2], *files[4:]])
    assert without.exit_code == 1 and "name them by --target" in without.stderr
