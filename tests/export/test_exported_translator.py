from __future__ import annotations

import sys

import pytest
import tensorflow as tf

from tests.export.conftest import BEAM_SIZE, N_BEST, SENTENCES
from tfnmt.errors import UserError
from tfnmt.export import load


def test_answers_are_those_of_the_translator(translator, export):
    assert export.translate(SENTENCES) == translator.translate(SENTENCES, beam_size=BEAM_SIZE)
    for mine, theirs in zip(
        export.n_best(SENTENCES), translator.translate(SENTENCES, beam_size=BEAM_SIZE, n_best=N_BEST), strict=True
    ):
        assert [best.text for best in mine] == [best.text for best in theirs]
        assert [best.score for best in mine] == pytest.approx([best.score for best in theirs], rel=1e-5)


def test_no_sentence_has_no_translation(export):
    assert export.translate([]) == export.n_best([]) == export.align([]) == export.score([], []) == []


def test_newest_version_is_taken(base, export, tmp_path):
    assert export.directory == base / "1"
    for version in ("9", "10", "incomplete-11-x"):
        tf.saved_model.save(tf.Module(), str(tmp_path / version))
    assert load(tmp_path).directory == tmp_path / "10"
    assert load(tmp_path / "9").directory == tmp_path / "9"


def test_unequal_sides_are_refused(export):
    with pytest.raises(UserError, match="2 sources but 1 targets"):
        export.score(["a", "b"], ["a"])
    with pytest.raises(UserError, match="2 sources but 1 targets"):
        export.align(["a", "b"], ["a"])


def test_what_is_no_list_of_strings_is_refused_and_what_utf_8_cannot_hold_is_a_question_mark(export):
    with pytest.raises(UserError, match="sentences must be a list of strings, not one string"):
        export.translate("ab")
    with pytest.raises(UserError, match=r"sources\[1\] must be a string, not int: 3"):
        export.score(["a", 3], ["a", "b"])
    assert export.translate(["a\ud800"]) == export.translate(["a?"])


# C76: the wrong file gets the right advice.
def test_keras_file_is_refused_with_advice(tmp_path):
    (tmp_path / "model.keras").write_bytes(b"PK")
    with pytest.raises(UserError, match=r"is a file.*keras\.models\.load_model"):
        load(tmp_path / "model.keras")


# C92: the package that is missing is named, with the systems it exists for.
def test_missing_tensorflow_text_is_named(base, monkeypatch):
    monkeypatch.setitem(sys.modules, "tensorflow_text", None)
    with pytest.raises(UserError, match=r"needs the package tensorflow-text.*Linux and macOS"):
        load(base)


def test_an_export_of_core_operations_needs_no_tensorflow_text(tmp_path, monkeypatch):
    tf.saved_model.save(tf.Module(), str(tmp_path / "1"))
    monkeypatch.setitem(sys.modules, "tensorflow_text", None)
    assert load(tmp_path).directory == tmp_path / "1"


def test_directory_without_an_export_is_refused(tmp_path):
    with pytest.raises(UserError, match="holds no export"):
        load(tmp_path)
    with pytest.raises(UserError, match="holds no export"):
        load(tmp_path / "missing")
