"""`tfnmt align`."""

from __future__ import annotations

from pathlib import Path

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
