"""`tfnmt translate`: one line for one line, in the order of the input, whatever the lines hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.copy_run import CopyRun, copy_sentences
from tests.processes import python
from tfnmt.zoo import translate

KNOWN = copy_sentences()
STRANGE = [
    KNOWN[0], "", "   ", "\t", KNOWN[1], "w5\u2028w6", "w7\x0bw8", "w9\x00w10", "  w11   w12 ", "\u3000", "<s> w1 </s>",
    "w13\x85w14", "<unk>", "w15 " * 30,
]  # fmt: skip


def run(copy_run: CopyRun, *arguments: str) -> Result:
    result = CliRunner().invoke(translate.command, [str(copy_run.directory), *arguments])
    assert result.exit_code == 0, result.output
    return result


def file(directory: Path, lines: list[str], end: str = "\n") -> str:
    path = directory / "sentences.en"
    path.write_bytes("".join(f"{line}{end}" for line in lines).encode())
    return str(path)


@pytest.mark.parametrize("window", ["1", "7", "2000"])
def test_answers_come_in_the_order_of_the_input(copy_run: CopyRun, tmp_path: Path, window: str) -> None:  # C12
    translated = run(copy_run, file(tmp_path, KNOWN), "--window", window).stdout
    assert translated.split("\n") == [*KNOWN, ""]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_line_is_a_line_whatever_it_holds(copy_run: CopyRun, tmp_path: Path, end: str) -> None:  # C04, C09
    lines = run(copy_run, file(tmp_path, STRANGE, end)).stdout.split("\n")
    assert lines.pop() == ""
    assert len(lines) == len(STRANGE)
    assert lines[:5] == [KNOWN[0], "", "", "", KNOWN[1]]
    assert lines[9] == ""
    assert not any("<s>" in line or "</s>" in line for line in (*lines[:10], *lines[11:]))


def test_bytes_that_are_no_text_are_still_a_line(copy_run: CopyRun, tmp_path: Path) -> None:
    path = tmp_path / "latin.en"
    path.write_bytes(b"\xef\xbb\xbf" + f"{KNOWN[0]}\n".encode() + b"\xff\xfe\n" + KNOWN[1].encode())
    lines = run(copy_run, str(path)).stdout.split("\n")
    assert (lines[0], lines[2], len(lines)) == (KNOWN[0], KNOWN[1], 4)


def test_standard_input_is_read_and_the_locale_plays_no_part(copy_run: CopyRun) -> None:  # C05
    ascii_locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    text = f"{KNOWN[0]}\n\n\u041c\u0438\u0440 正午\n"
    ended = python("-m", "tfnmt", "translate", copy_run.directory, "--json", text=text, **ascii_locale)
    answers = [json.loads(line) for line in ended.output().splitlines()]
    assert ended.complained == ""
    assert [answer["source"] for answer in answers] == [KNOWN[0], "", "\u041c\u0438\u0440 正午"]
    assert [answer["translations"][0]["text"] for answer in answers[:2]] == [KNOWN[0], ""]


def test_n_best_lists_begin_with_the_best(copy_run: CopyRun, tmp_path: Path) -> None:  # C48
    sentences = KNOWN[:2]
    listed = run(copy_run, file(tmp_path, sentences), "--n-best", "8").stdout.splitlines()
    rows = [line.split(" ||| ") for line in listed]
    assert [row[0] for row in rows] == ["1"] * 8 + ["2"] * 8
    for number, sentence in enumerate(sentences):
        found = rows[8 * number : 8 * number + 8]
        assert found[0][1] == sentence
        assert len({row[1] for row in found}) == 8
        scores = [float(row[2]) for row in found]
        assert scores == sorted(scores, reverse=True)


def test_a_program_reads_json_lines(copy_run: CopyRun, tmp_path: Path) -> None:
    output = tmp_path / "made" / "out.jsonl"
    run(copy_run, file(tmp_path, [KNOWN[0], ""]), "--json", "--output", str(output))
    first, blank = (json.loads(line) for line in output.read_text(encoding="utf-8").splitlines())
    assert (first["source"], first["translations"][0]["text"]) == (KNOWN[0], KNOWN[0])
    assert first["translations"][0]["score"] < 0 and first["translations"][0]["finished"]
    assert blank["translations"][0]["text"] == ""


def test_the_beam_of_the_command_wins(copy_run: CopyRun, tmp_path: Path) -> None:  # C64
    assert run(copy_run, file(tmp_path, KNOWN[:1]), "--beam-size", "1").stdout == f"{KNOWN[0]}\n"
    result = CliRunner().invoke(
        translate.command, [str(copy_run.directory), file(tmp_path, KNOWN[:1]), "--beam-size", "2", "--n-best", "3"]
    )
    assert result.exit_code == 1
    assert "n_best is 3, but the beam has only 2 places" in result.stderr
