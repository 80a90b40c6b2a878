"""`tfnmt train`: the demo, the real thing, going on with a run."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.copy_run import CopyRun
from tests.warm_starts import run_warm
from tfnmt.zoo import shelf, train


def test_a_run_says_what_it_does_and_what_comes_next(copy_run: CopyRun) -> None:
    lines = copy_run.said.splitlines()
    assert lines[0] == f"New run in {copy_run.directory}"
    assert any(line.startswith("epoch ") and "perplexity" in line and "words/s" in line for line in lines)
    assert any(line.startswith("validation at step 120:") and "bleu" in line for line in lines)
    assert any("BLEU, detokenized (mteval-13a)" in line and "tok:13a" in line for line in lines)
    for verb in ("translate", "align", "export"):
        assert any(line.startswith(f"  tfnmt {verb} {copy_run.directory}") for line in lines)
    assert copy_run.complained == ""


def test_a_run_directory_explains_itself(copy_run: CopyRun) -> None:
    directory = copy_run.directory
    recipe = shelf.load(str(directory / "recipe.toml"))
    assert (recipe.name, recipe.profile, recipe.training.steps) == ("rnnsearch50", "small", 120)
    assert recipe.corpus.train.source[0].endswith("train.en")
    words = (directory / "vocabularies" / "source" / "vocabulary.txt").read_text(encoding="utf-8").split()
    assert sorted(words) == sorted(f"w{number}" for number in range(20))
    assert (directory / "log.txt").read_text(encoding="utf-8").startswith(f"New run in {directory}\n")
    assert (directory / "metrics.jsonl").is_file()
    assert list((directory / "tensorboard").glob("events*"))
    assert (directory / "translator.keras").is_file()
    assert (directory / "attention.png").read_bytes().startswith(b"\x89PNG")


def test_the_same_command_again_says_that_it_is_done(copy_run: CopyRun) -> None:  # C63
    result = CliRunner().invoke(train.command, copy_run.arguments[1:])
    assert result.exit_code == 0, result.output
    assert result.output.startswith(f"Going on with the run in {copy_run.directory}\n")
    assert "already at step 120 of 120: raise the limit to go on" in result.output


def test_another_model_is_refused_and_another_rate_is_listed(copy_run: CopyRun) -> None:  # C64
    refused = CliRunner().invoke(train.command, [*copy_run.arguments[1:], "--set", "model.encoder.units=50"])
    assert refused.exit_code == 1
    assert "model.encoder.units was 48, is 50" in refused.stderr
    applied = CliRunner().invoke(
        train.command, [str(copy_run.directory), "--resume", "--set", "training.optimizer.learning_rate=0.02"]
    )
    assert applied.exit_code == 0, applied.output
    assert "Changed: training.optimizer.learning_rate was 0.01, is 0.02" in applied.output
    back = CliRunner().invoke(train.command, copy_run.arguments[1:])
    assert "Changed: training.optimizer.learning_rate was 0.02, is 0.01" in back.output


def test_a_vocabulary_with_two_words_swapped_is_refused(copy_run: CopyRun) -> None:  # C20
    vocabulary = copy_run.directory / "vocabularies" / "source" / "vocabulary.txt"
    before = vocabulary.read_text(encoding="utf-8")
    words = before.split("\n")
    words[0], words[1] = words[1], words[0]
    try:
        for changed in ("\n".join(words), before + "w20\n"):
            vocabulary.write_text(changed, encoding="utf-8")
            result = CliRunner().invoke(train.command, copy_run.arguments[1:])
            assert result.exit_code == 1
            assert "The source vocabulary in" in result.stderr
            assert "is not the one that the run was begun with" in result.stderr
    finally:
        vocabulary.write_text(before, encoding="utf-8")


def test_the_demo_says_so_in_its_first_lines(tmp_path: Path) -> None:
    narrow = ["encoder.units", "encoder.embedding_size", "decoder.units", "decoder.embedding_size"]
    overrides = [item for key in narrow for item in ("--set", f"model.{key}=8")]
    overrides += ["--set", "training.steps=2", "--set", "decoding.beam_size=1", "--set", "training.average_decay=0.5"]
    ended = run_warm("-m", "tfnmt", "train", "rnnsearch30", "--run", str(tmp_path / "demo"), *overrides)
    first, second, *_ = ended.output().splitlines()
    assert first == "The demo: RNNsearch-30, profile small, learns en-de from the built-in corpus."
    assert second.endswith("tfnmt train rnnsearch30 --data DIRECTORY --languages en-de")
    assert "built-in test set, 1,000 sentences" in ended.said
    assert ended.complained == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rnnsearch50", "--resume", "--run", "nowhere"], "no run in 'nowhere' to go on with"),
        (["rnnsearch50", "--data", "nowhere"], "no directory 'nowhere'"),
        (["rnnsearch50", "--languages", "en"], "'en' is no pair of languages"),
        (["rnnsearch50", "--test-source", "a"], "--test-source names 1 files and --test-target 0"),
        (["rnnsearch51"], "Did you mean 'rnnsearch50'?"),
    ],
)  # fmt: skip
def test_a_mistake_is_found_before_anything_is_made(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(train.command, arguments)
    assert (result.exit_code, list(tmp_path.iterdir())) == (1, [])
    assert message in result.stderr


def test_unequal_files_stop_before_training_with_both_counts(tmp_path: Path) -> None:  # C07
    for name, lines in (("t.en", 10), ("t.de", 9)):
        (tmp_path / name).write_text("a b\n" * lines, encoding="utf-8")
    files = {"source": str(tmp_path / "t.en"), "target": str(tmp_path / "t.de")}
    options = [
        item for split in ("train", "valid") for side, path in files.items() for item in (f"--{split}-{side}", path)
    ]
    result = CliRunner().invoke(
        train.command, ["rnnsearch50", "--profile", "small", "--run", str(tmp_path / "run"), *options]
    )
    assert result.exit_code == 1
    assert "has 10 lines" in result.stderr and "has 9" in result.stderr
