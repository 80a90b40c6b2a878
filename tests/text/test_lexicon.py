from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

from tfnmt.errors import UserError
from tfnmt.text.lexicon import Lexicon, WordTranslation


def test_lookup_keeps_the_structure():
    translations, found = Lexicon({"dog": "Hund", "at": "zu Hause"}).lookup(tf.constant([["dog", "cat"], ["", "at"]]))
    assert translations.numpy().tolist() == [[b"Hund", b""], [b"", b"zu Hause"]]
    assert found.numpy().tolist() == [[True, False], [False, True]]


def test_an_empty_lexicon_finds_nothing():
    assert Lexicon().lookup(tf.constant(["dog", ""]))[1].numpy().tolist() == [False, False]


def test_entries_travel_as_an_asset(tmp_path: Path):
    lexicon = Lexicon({"dog": "Hund", "ä": "\u2028"})
    lexicon.save_assets(str(tmp_path))
    loaded = Lexicon.from_config(lexicon.get_config())
    assert loaded.entries == {}
    loaded.load_assets(str(tmp_path))
    assert loaded.entries == lexicon.entries
    assert loaded(tf.constant(["dog"]))[0].numpy().tolist() == [b"Hund"]


def test_several_translations_are_sorted_and_the_best_is_looked_up(tmp_path: Path):
    (tmp_path / "lexicon").write_bytes("\ufeffdog\tHund\t-1.5\r\ndog\tKöter\t-0.5\r\nat\tan\r\n".encode())
    lexicon = Lexicon.load(tmp_path / "lexicon")
    assert lexicon.entries == {
        "dog": (WordTranslation("Köter", -0.5), WordTranslation("Hund", -1.5)),
        "at": (WordTranslation("an", 1.0),),
    }
    assert lexicon.lookup(tf.constant(["dog"]))[0].numpy().tolist() == ["Köter".encode()]
    lexicon.save(tmp_path / "again")
    assert Lexicon.load(tmp_path / "again").entries == lexicon.entries


def test_scores_of_numpy_are_written_as_numbers(tmp_path: Path):
    scores = np.array([0.25, 0.5], np.float32)
    lexicon = Lexicon({"dog": [WordTranslation("Köter", scores[0]), WordTranslation("Hund", scores[1])]})
    lexicon.save(tmp_path / "lexicon")
    assert (tmp_path / "lexicon").read_text(encoding="utf-8") == "dog\tHund\t0.5\ndog\tKöter\t0.25\n"
    assert Lexicon.load(tmp_path / "lexicon").entries == lexicon.entries


@pytest.mark.parametrize("translations", [[], [WordTranslation("Hund", float("nan"))], [("Hund", float("-inf"))]])
def test_what_could_not_be_read_again_is_refused(translations: list[WordTranslation]):
    with pytest.raises(UserError, match="'dog' needs a translation at least, and finite numbers as scores"):
        Lexicon({"dog": translations})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("dog\tHund\ncat\n", "line 2: 'cat' is no lexicon entry"),
        ("dog\tHund\thigh\n", "line 1: .* is no lexicon entry"),
        ("\tHund\n", "line 1: .* is no lexicon entry"),
        ("a\tb\n\n", "line 2: '' is no lexicon entry"),
        ("dog\tHund\nat\tan\ndog\tKöter\t0.5\n", "line 3: 'dog' is already on line 1"),
    ],
)
def test_files_that_are_refused(tmp_path: Path, content: str, message: str):
    (tmp_path / "lexicon").write_text(content, encoding="utf-8")
    with pytest.raises(UserError, match=message):
        Lexicon.load(tmp_path / "lexicon")


@pytest.mark.parametrize("entries", [{"": "x"}, {"x": ""}, {"a\tb": "c"}, {"a": "b\nc"}])
def test_entries_that_fit_no_file(entries: dict[str, str]):
    with pytest.raises(UserError, match="lexicon entry"):
        Lexicon(entries)
