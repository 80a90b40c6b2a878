"""`tfnmt lexicon`: by the model's attention and by another aligner, into a file and into the model."""

from __future__ import annotations

import shutil
from pathlib import Path

import keras
from click.testing import CliRunner, Result

from tests.copy_run import CopyRun, copy_sentences
from tfnmt.text.lexicon import Lexicon
from tfnmt.zoo import lexicon, translate


def written(directory: Path, name: str, lines: list[str]) -> str:
    (directory / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(directory / name)


def run(model: Path, *arguments: str) -> Result:
    return CliRunner().invoke(lexicon.command, [str(model), *arguments])


def test_attention_of_a_model_that_copies_translates_words_by_themselves(copy_run: CopyRun, tmp_path: Path) -> None:
    text = written(tmp_path, "text", copy_sentences())
    file = tmp_path / "lexicon.tsv"
    result = run(copy_run.directory, "--source", text, "--target", text, "--translations", "3", "--output", str(file))
    assert result.exit_code == 0, result.output
    entries = Lexicon.load(file).entries
    assert entries.keys() <= {f"w{number}" for number in range(20)} and len(entries) >= 18
    right = sum(translations[0].word == word for word, translations in entries.items())
    assert right >= 15
    assert all(len(translations) <= 3 for translations in entries.values())


def test_links_of_an_aligner_are_counted_and_kept_in_the_model(copy_run: CopyRun, tmp_path: Path) -> None:
    model = Path(shutil.copy(copy_run.directory / "translator.keras", tmp_path / "mine.keras"))
    source, target = written(tmp_path, "s", ["Abc w1", "Abc w2"]), written(tmp_path, "t", ["w1 Xyz", "w2 Xyz"])
    links = written(tmp_path, "l", ["0-1 1-0", "0-1 1-0"])
    assert run(model, "--source", source, "--target", target, "--links", links, "--keep").exit_code == 0
    loaded = keras.saving.load_model(model)
    assert {word: [one.word for one in found] for word, found in loaded.lexicon.entries.items()} == {
        "Abc": ["Xyz"],
        "w1": ["w1"],
        "w2": ["w2"],
    }
    assert loaded.candidates is None  # the recipe has none
    sentences = written(tmp_path, "sentences", copy_sentences()[:3])
    arguments = [str(model), sentences, "--candidates", "24", "2", "--lexicon-words", "lower-case"]
    result = CliRunner().invoke(translate.command, arguments)
    assert result.exit_code == 0, result.output
    assert result.stdout.split("\n")[:3] == copy_sentences()[:3]


def test_mistakes_are_explained(copy_run: CopyRun, tmp_path: Path) -> None:
    text = written(tmp_path, "text", ["w1 w2"])
    pair = ["--source", text, "--target", text]
    for arguments, message in (
        (pair, "would go nowhere"),
        (
            [*pair, "--links", written(tmp_path, "links", ["0-5"]), "--keep"],
            "the link 0-5 is outside a pair of 2 and 2",
        ),
        ([*pair, "--links", written(tmp_path, "no", ["zero"]), "--keep"], "'zero' is not a word alignment"),
    ):
        result = run(copy_run.directory, *arguments)
        assert result.exit_code == 1
        assert message in result.output
    result = CliRunner().invoke(translate.command, [str(copy_run.directory), text, "--candidates", "24", "2"])
    assert result.exit_code == 1
    assert "tfnmt lexicon" in result.output
