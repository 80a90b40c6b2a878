from __future__ import annotations

import tensorflow as tf

from tfnmt.text.character import CharacterTokenizer


def test_every_character_is_a_token_blanks_as_well():
    tokens = CharacterTokenizer().split(tf.constant(["a ä€", " x\u3000\u00a0y "])).to_list()
    assert [[token.decode() for token in row] for row in tokens] == [["a", " ", "ä", "€"], ["x", " ", "y"]]


def test_an_unfinished_translation_ends_in_no_blank():  # C52
    assert CharacterTokenizer().join(tf.ragged.constant([["a", "b", " "], []])).numpy().tolist() == [b"ab", b""]
