from __future__ import annotations

import pytest
import tensorflow as tf

from tfnmt.text.lexicon import Lexicon
from tfnmt.text.unknown_words import AnyWord, LowerCaseWord, TranslationRule, replace_unknown_words
from tfnmt.text.vocabulary import UNKNOWN

SOURCES = tf.ragged.constant([["the", "dog", "sees", "Zyx"], [], ["dog"]], dtype=tf.string)
TOKENS = tf.ragged.constant([["der", "<unk>", "<unk>"], ["<unk>"], ["<unk>", "<unk>"]], dtype=tf.string)
# The first "<unk>" of row 0 is a word of the vocabulary that is spelled so; rows are padded to 4.
IDS = tf.constant([[4, 9, UNKNOWN, 0], [UNKNOWN, 0, 0, 0], [UNKNOWN, UNKNOWN, 0, 0]])
ALIGNMENT = tf.constant([[0, 1, 3, 99], [0, 0, 0, 0], [0, 7, 0, 0]])


def replaced(lexicon: Lexicon | None = None, rule: TranslationRule | None = None) -> list[list[str]]:
    rows = replace_unknown_words(TOKENS, IDS, SOURCES, ALIGNMENT, lexicon, rule).to_list()
    return [[word.decode() for word in row] for row in rows]


def test_the_surface_word_at_the_aligned_position_is_copied():  # C22
    assert replaced() == [["der", "<unk>", "Zyx"], ["<unk>"], ["dog", "dog"]]


def test_a_word_that_is_aligned_to_nothing_stays_unknown():
    found = replace_unknown_words(TOKENS, IDS, SOURCES, tf.constant([[-1] * 4, [0] * 4, [-1, 0, 0, 0]]))
    assert found.to_list() == [[b"der", b"<unk>", b"<unk>"], [b"<unk>"], [b"<unk>", b"dog"]]


def test_the_lexicon_comes_before_the_copy():
    lexicon = Lexicon({"dog": "Hund", "Zyx": "Xyz"})
    assert replaced(lexicon) == [["der", "<unk>", "Xyz"], ["<unk>"], ["Hund", "Hund"]]
    assert replaced(lexicon, AnyWord()) == replaced(lexicon)


def test_capitalised_words_are_copied_by_jeans_rule():
    lexicon = Lexicon({"dog": "Hund", "Zyx": "Xyz"})
    assert replaced(lexicon, LowerCaseWord()) == [["der", "<unk>", "Zyx"], ["<unk>"], ["Hund", "Hund"]]


def test_lower_case_reaches_beyond_ascii():
    assert LowerCaseWord()(tf.constant(["über", "Über", "42", ""])).numpy().tolist() == [True, False, False, False]


def test_ragged_ids_are_read_the_same():
    ids = tf.ragged.constant([[4, 9, UNKNOWN], [UNKNOWN], [UNKNOWN, UNKNOWN]])
    rows = replace_unknown_words(TOKENS, ids, SOURCES, ALIGNMENT)
    assert [[word.decode() for word in row] for row in rows.to_list()] == replaced()


@pytest.mark.parametrize("rows", [0, 3])
def test_it_runs_in_a_graph_of_unknown_sizes(rows: int):
    ragged = tf.RaggedTensorSpec([None, None], tf.string)
    numbers = tf.TensorSpec([None, None], tf.int32)

    @tf.function(input_signature=[ragged, numbers, ragged, numbers])
    def run(tokens, ids, sources, alignment):
        return replace_unknown_words(tokens, ids, sources, alignment, Lexicon({"dog": "Hund"}))

    found = run(TOKENS[:rows], IDS[:rows], SOURCES[:rows], ALIGNMENT[:rows])
    expected = [["der", "<unk>", "Zyx"], ["<unk>"], ["Hund", "Hund"]][:rows]
    assert [[word.decode() for word in row] for row in found.to_list()] == expected
