from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import numpy as np
import pytest

from tfnmt.errors import UserError
from tfnmt.evaluation.words import between_words, word_numbers


def test_pieces_are_found_in_their_words():
    assert word_numbers(["▁la", "ng", "▁", "wei", "l", "ig", "▁!"], ["lang", "weilig", "!"]) == [0, 0, 1, 1, 1, 1, 2]
    assert word_numbers(["l'", "homme", "a", "ri"], ["l'homme", "a", "ri"]) == [0, 0, 1, 2]
    assert word_numbers(["gross", "es", "haus"], ["Großes", "Haus"]) == [0, 0, 1]  # a tokenizer may lower the case
    assert word_numbers(["don't"], ["do", "n't"]) == [0]  # one piece of two words is at home in the first
    assert word_numbers([], []) == []


def test_other_characters_are_refused_with_their_place():
    with pytest.raises(UserError, match=r"Line 7: the model reads 'a <unk>' where the words are 'a b'"):
        word_numbers(["a", "<unk>"], ["a", "b"], "Line 7")


def test_weights_of_words_by_hand():
    weights = [
        [0.5, 0.25, 0.25],  # the first piece of the first target word
        [0.0, 1.0, 0.0],  # its second piece
        [0.25, 0.0, 0.75],
    ]
    expected = [[(0.75 + 1.0) / 2, 0.25 / 2, 0], [0.25, 0.75, 0], [0, 0, 0]]
    np.testing.assert_allclose(between_words(weights, [0, 0, 1], [0, 0, 1], 3, 3), expected)
    assert between_words(np.zeros((0, 2)), [0, 1], [], 2, 0).shape == (0, 2)
    np.testing.assert_array_equal(between_words(np.zeros((1, 0)), [], [0], 0, 1), np.zeros((1, 0)))


def test_words_as_they_are_keep_their_weights():
    weights = np.random.default_rng(0).random((4, 6)).astype(np.float32)
    np.testing.assert_array_equal(between_words(weights, range(6), range(4), 6, 4), weights)


@pytest.mark.parametrize("name", ["hansards.en-fr", "alibi.en-fr", "europarl100.en-de", "naacl2003.en-ro"])
def test_real_text_is_mapped_whole(name):
    """The Moses rules cut text that was tokenized already a little further: every word keeps a piece."""
    from tfnmt.text.word import WordTokenizer

    data = Path(os.environ.get("TFNMT_DATA", Path(__file__).parents[2].parent / "shared" / "data"))
    directory = data / "alignments" / name
    if not directory.exists():
        pytest.skip(f"the gold alignments are not here: {directory}")
    for language in name[-5:].split("-"):
        sentences = (directory / f"test.{language}").read_text(encoding="utf-8").removesuffix("\n").split("\n")
        rows = WordTokenizer(language if language != "ro" else "en").split(sentences).to_list()
        for number, (row, sentence) in enumerate(zip(rows, sentences, strict=True), 1):
            words = unicodedata.normalize("NFC", sentence).split()
            numbers = word_numbers([piece.decode() for piece in row], words, f"{name}.{language}, line {number}")
            assert sorted(set(numbers)) == list(range(len(words)))
