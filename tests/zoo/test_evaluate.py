"""`tfnmt evaluate`: a model, or a file of translations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import sacrebleu
from click.testing import CliRunner

from tests.copy_run import CopyRun, copy_sentences
from tfnmt.zoo import evaluate

TRANSLATIONS = ["Der Mann schläft heute.", "Sie lesen ein Buch im Garten .", "Ja"]
REFERENCES = ["Der Mann schläft heute nicht.", "Sie lesen ein gutes Buch im Garten.", "Ja."]


def run(*arguments: str) -> Any:
    result = CliRunner().invoke(evaluate.command, [*arguments, "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def write(path: Path, lines: list[str]) -> str:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def test_a_file_of_translations_is_measured_as_sacrebleu_does(tmp_path: Path) -> None:
    translations, references = write(tmp_path / "out.de", TRANSLATIONS), write(tmp_path / "ref.de", REFERENCES)
    report = run(translations, "--reference", references, "--source", references, "--language", "de")
    assert report["bleu_detokenized"]["value"] == pytest.approx(sacrebleu.corpus_bleu(TRANSLATIONS, [REFERENCES]).score)
    assert report["chrf"]["value"] == pytest.approx(sacrebleu.corpus_chrf(TRANSLATIONS, [REFERENCES]).score)
    assert "tok:13a" in report["bleu_detokenized"]["signature"]
    assert "moses-de" in report["bleu_tokenized"]["signature"]
    assert [(g["shortest"], g["longest"], g["sentences"]) for g in report["by_source_length"]] == [(1, 10, 3)]


def test_groups_by_reference_length_need_no_source(tmp_path: Path) -> None:
    """As the authors of Luong et al. (2015) draw their figure 6; 250 sentences are a group of 200 and one of 50."""
    lines = [" ".join(["wort"] * (1 + number % 50)) for number in range(250)]
    written, plot = write(tmp_path / "out.de", lines), tmp_path / "fig6.png"
    report = run(written, "--reference", written, "--language", "de", "--plot", str(plot), "--lengths", "reference")
    groups = [(g["shortest"], g["longest"], g["sentences"]) for g in report["by_reference_length"]]
    assert groups == [(1, 40, 200), (41, 50, 50)]
    assert "by_source_length" not in report
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_the_run_s_own_test_set_is_measured(copy_run: CopyRun, tmp_path: Path) -> None:
    plot, output = tmp_path / "lengths.png", tmp_path / "out.de"
    report = run(str(copy_run.directory), "--plot", str(plot), "--output", str(output))
    assert report["sentences"] == 64
    assert report["bleu_tokenized"]["value"] > 95
    assert 1 < report["perplexity"] < 1.2
    assert plot.read_bytes().startswith(b"\x89PNG")
    again = run(str(output), "--reference", str(copy_run.data / "test.de"), "--language", "de")
    assert again["bleu_detokenized"] == report["bleu_detokenized"]


def test_a_person_reads_lines(copy_run: CopyRun, tmp_path: Path) -> None:
    path = write(tmp_path / "t.en", copy_sentences()[:5])
    result = CliRunner().invoke(evaluate.command, [str(copy_run.directory), "--source", path, "--reference", path])
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(f"{copy_run.directory} on {path}: 5 sentences\n  BLEU, detokenized (mteval-13a)")
    assert "perplexity of the references" in result.stdout


def test_several_systems_are_compared_in_one_table_and_one_picture(copy_run: CopyRun, tmp_path: Path) -> None:
    source, plot = write(tmp_path / "t.en", copy_sentences()[:20]), tmp_path / "lengths.png"
    half = write(tmp_path / "half.de", [line.split()[0] for line in copy_sentences()[:20]])
    files = ["--source", source, "--reference", source, "--language", "de"]
    reports = run(f"network={copy_run.directory}", half, *files, "--plot", str(plot))
    assert [report["system"] for report in reports] == ["network", half]
    assert reports[0]["bleu_tokenized"]["value"] > reports[1]["bleu_tokenized"]["value"]
    assert plot.read_bytes().startswith(b"\x89PNG")
    result = CliRunner().invoke(evaluate.command, [f"network={copy_run.directory}", f"half={half}", *files])
    rows = [line.split() for line in result.stdout.splitlines() if line.split()[:1] in (["network"], ["half"])]
    assert [row[0] for row in rows[-2:]] == ["network", "half"]
    assert rows[-2][2] == f"{reports[0]['bleu_detokenized']['value']:.2f}"


def test_unequal_files_are_refused_with_both_counts(tmp_path: Path) -> None:  # C07
    translations, references = write(tmp_path / "out.de", TRANSLATIONS[:2]), write(tmp_path / "ref.de", REFERENCES)
    result = CliRunner().invoke(evaluate.command, [translations, "--reference", references])
    assert result.exit_code == 1
    assert "out.de' has 2" in result.stderr and "ref.de' has 3" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{out}"], "name them by --reference"),
        (["{out}", "--reference", "{out}", "--plot", "x.png"], "name them by --source"),
        (["{run}", "--source", "{out}"], "--source and --reference belong together"),
        (["a={out}", "a={out}", "--reference", "{out}"], "Two systems are called 'a'"),
        (["{run}", "{run}", "--output", "x.de"], "of one model, not of 2"),
        (["{out}", "--reference", "{out}", "--tokenizer", "13b"], "Did you mean '13a'?"),
    ],
)
def test_a_mistake_says_what_to_do(copy_run: CopyRun, tmp_path: Path, arguments: list[str], message: str) -> None:
    places = {"out": write(tmp_path / "out.de", TRANSLATIONS), "run": str(copy_run.directory)}
    result = CliRunner().invoke(evaluate.command, [argument.format(**places) for argument in arguments])
    assert result.exit_code == 1
    assert message in result.stderr
