"""`tfnmt align`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.copy_run import CopyRun, copy_sentences
from tests.processes import python
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
    ended = python("-m", "tfnmt", "align", copy_run.directory, "--source", source)
    assert ended.complained == ""
    assert len(ended.output().split()) == len(copy_sentences()[0].split())


def test_unequal_files_are_refused(copy_run: CopyRun, tmp_path: Path) -> None:
    for name, text in (("s.en", "w1\nw2\n"), ("t.de", "w1\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = ["--source", str(tmp_path / "s.en"), "--target", str(tmp_path / "t.de")]
    result = CliRunner().invoke(align.command, [str(copy_run.directory), *files])
    assert result.exit_code == 1
    assert "s.en' has 2" in result.stderr and "t.de' has 1" in result.stderr


def test_links_are_measured_by_those_of_people(copy_run: CopyRun, tmp_path: Path) -> None:
    texts = {"s.en": ["w4 w7 w9", "w2"], "t.de": ["w4 w7 w9", "w2"]}
    for name, rows in texts.items():
        (tmp_path / name).write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    arguments = [str(copy_run.directory), "--source", str(tmp_path / "s.en"), "--target", str(tmp_path / "t.de")]
    first, second, third = CliRunner().invoke(align.command, arguments).stdout.split("\n")[0].split()
    wrong = f"{(int(second[0]) + 1) % 3}-1"
    # Of the four links the first is sure, the third possible, the fourth sure; one sure link is missed.
    (tmp_path / "gold").write_text(f"{first} {wrong} {third.replace('-', '?')}\n0-0\n", encoding="utf-8")
    links = tmp_path / "out.align"
    arguments += ["--gold", str(tmp_path / "gold"), "--output", str(links)]
    result = CliRunner().invoke(align.command, [*arguments, "--json", "--pictures", str(tmp_path / "pictures")])
    assert result.exit_code == 0, result.output
    assert links.read_text(encoding="utf-8") == f"{first} {second} {third}\n0-0\n"
    expected = {"precision": 3 / 4, "recall": 2 / 3, "error_rate": 1 - (2 + 3) / (4 + 3)}
    report = json.loads(result.stdout)
    assert {name: report[name] for name in expected} == pytest.approx(expected)
    assert (report["links"], report["sure"], report["possible"]) == (4, 3, 4)
    assert len(list((tmp_path / "pictures").iterdir())) == 2
    said = CliRunner().invoke(align.command, arguments).stdout
    assert said.startswith("precision 0.750, recall 0.667, alignment error rate 0.286 (4 links; 3 sure and 1 only")


def test_gold_links_may_name_the_target_word_first(copy_run: CopyRun, tmp_path: Path) -> None:
    for name, text in (("s.en", "w1 w2\n"), ("t.de", "w1\n"), ("gold", "0-1\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = ["--source", str(tmp_path / "s.en"), "--target", str(tmp_path / "t.de"), "--gold", str(tmp_path / "gold")]
    refused, read = (
        CliRunner().invoke(align.command, [str(copy_run.directory), *files, *more])
        for more in ((), ("--gold-target-first",))
    )
    assert "a link of source word 0 and target word 1, but there are 2 and 1 words" in refused.stderr
    assert read.exit_code == 0 and "1 links; 1 sure" in read.stdout


def test_gold_links_want_given_translations(copy_run: CopyRun, tmp_path: Path) -> None:
    (tmp_path / "s.en").write_text("w1\n", encoding="utf-8")
    files = ["--source", str(tmp_path / "s.en"), "--gold", str(tmp_path / "s.en")]
    result = CliRunner().invoke(align.command, [str(copy_run.directory), *files])
    assert result.exit_code == 1 and "name them by --target" in result.stderr


def test_heads_are_asked_of_a_transformer_alone(copy_run: CopyRun, tmp_path: Path) -> None:
    source = tmp_path / "s.en"
    source.write_text(f"{copy_sentences()[0]}\n", encoding="utf-8")
    arguments = [str(copy_run.directory), "--source", str(source), "--heads", str(tmp_path / "heads")]
    result = CliRunner().invoke(align.command, arguments)
    assert result.exit_code == 1
    assert "BahdanauDecoder has one attention without heads" in result.stderr
    result = CliRunner().invoke(align.command, [*arguments, "--target", str(source), "--gold", str(source)])
    assert result.exit_code == 1
    assert "give one of the two" in result.stderr
