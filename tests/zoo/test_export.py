"""`tfnmt export`, and one text by every route."""

from __future__ import annotations

from pathlib import Path

import keras
from click.testing import CliRunner

from tests.copy_run import CopyRun, copy_sentences
from tests.processes import python
from tfnmt.zoo import export, translate, translators

IN_PYTHON = """
import sys, keras, tfnmt
translator = keras.models.load_model(sys.argv[1])
print("\\n".join(translator.translate(sys.stdin.read().split("\\n"))))
"""


def test_every_route_gives_the_same_text(copy_run: CopyRun, tmp_path: Path) -> None:  # C91
    sentences = [*copy_sentences()[:20], "", "w1 Zyx w2", "w3 " * 20]
    source = tmp_path / "s.en"
    source.write_text("\n".join(sentences), encoding="utf-8")
    by_command = CliRunner().invoke(translate.command, [str(copy_run.directory), str(source)]).stdout.split("\n")[:-1]

    exported = CliRunner().invoke(export.command, [str(copy_run.directory), str(tmp_path / "serving" / "copy")])
    assert exported.exit_code == 0, exported.output
    written = tmp_path / "serving" / "copy" / "1"
    assert f"SavedModel for TensorFlow Serving: {written}" in exported.stdout
    assert f"For keras.models.load_model in Python: {copy_run.directory / 'translator.keras'}" in exported.stdout
    from tfnmt.export import load

    by_export = load(written).translate(sentences)

    said = python("-c", IN_PYTHON, copy_run.directory / "translator.keras", text="\n".join(sentences)).output()
    by_python = said.split("\n")[:-1]
    assert by_command == by_python == list(by_export)
    assert by_command[:20] == sentences[:20]


def test_a_savedmodel_is_not_taken_for_a_keras_file(copy_run: CopyRun, tmp_path: Path) -> None:  # C76
    directory = str(tmp_path / "serving")
    for version in ("3", None):
        options = ["--version", version] if version else []
        assert CliRunner().invoke(export.command, [str(copy_run.directory), directory, *options]).exit_code == 0
    assert sorted(path.name for path in Path(directory).iterdir()) == ["3", "4"]
    for path in (directory, f"{directory}/4"):
        result = CliRunner().invoke(translate.command, [path])
        assert result.exit_code == 1
        assert "is a SavedModel, for TensorFlow Serving" in result.stderr
        assert "translator.keras" in result.stderr


def test_the_file_of_a_run_is_safe_to_open(copy_run: CopyRun) -> None:  # C75
    path = translators.find(str(copy_run.directory))
    translator = keras.models.load_model(path, safe_mode=True)
    assert translator.translate(copy_sentences()[:1]) == copy_sentences()[:1]
