from __future__ import annotations

import io

import pytest
import sentencepiece
import tensorflow as tf

from tests.text.conftest import SENTENCES
from tfnmt.errors import UserError
from tfnmt.text.subword import SubwordTokenizer
from tfnmt.text.vocabulary import UNKNOWN


@pytest.fixture(scope="module", params=["bpe", "unigram"])
def learnt(request: pytest.FixtureRequest) -> SubwordTokenizer:
    tokenizer = SubwordTokenizer(request.param)
    tokenizer.learn(SENTENCES, 45)
    return tokenizer


def test_pieces_are_those_of_the_sentencepiece_package(learnt: SubwordTokenizer):
    processor = sentencepiece.SentencePieceProcessor(model_proto=learnt.model)
    pieces = learnt.split(tf.constant(SENTENCES)).to_list()
    assert [[piece.decode() for piece in row] for row in pieces] == processor.encode(SENTENCES, out_type=str)
    # Our ids count four control symbols where SentencePiece counts its unknown alone.
    ids = learnt.tokenize(tf.constant(SENTENCES)).to_list()
    assert ids == [[number + 3 for number in row] for row in processor.encode(SENTENCES)]


def test_the_size_counts_the_control_symbols(learnt: SubwordTokenizer):
    # The unigram algorithm finds fewer pieces in so small a text.
    assert learnt.vocabulary_size == {"bpe": 45, "unigram": 37}[learnt.algorithm]
    assert learnt.vocabulary_size == len(learnt.vocabulary.entries) + 4


def test_the_learnt_merges_are_those_of_a_plain_run():
    tokenizer = SubwordTokenizer()
    tokenizer.learn(SENTENCES, 45)
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(SENTENCES),
        model_writer=model,
        model_type="bpe",
        vocab_size=42,
        character_coverage=1.0,
        normalization_rule_name="identity",
        bos_id=-1,
        eos_id=-1,
        minloglevel=2,
    )
    plain = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    assert list(tokenizer.vocabulary.entries) == plain.id_to_piece(list(range(1, 42)))


def test_a_run_of_unseen_characters_is_one_unknown_and_keeps_its_spelling(learnt: SubwordTokenizer):  # C22
    strings = tf.constant(["the ЖЯ dog"])
    surface = [piece.decode() for piece in learnt.split(strings).to_list()[0]]
    unknown = [
        piece for piece, number in zip(surface, learnt.tokenize(strings).to_list()[0], strict=True) if number == UNKNOWN
    ]
    assert unknown == ["ЖЯ"]
    assert learnt.join(learnt.split(strings)).numpy().tolist() == ["the ЖЯ dog".encode()]


def test_the_blank_sign_in_a_text_is_white_space(learnt: SubwordTokenizer):
    assert learnt.split(tf.constant(["the\u2581 \u2581dog", "\u2581 "])).to_list() == [
        *learnt.split(tf.constant(["the dog"])).to_list(),
        [],
    ]


def test_a_cut_word_is_kept_without_marks(learnt: SubwordTokenizer):  # C52
    pieces = tf.ragged.constant([["\u2581the", "\u2581d"], ["o"], ["\u2581a", "\u2581"]])
    assert learnt.join(pieces).numpy().tolist() == [b"the d", b"o", b"a"]


def test_rare_characters_can_be_left_out():
    tokenizer = SubwordTokenizer()
    tokenizer.learn(["aaa bbb", "aaa bbb", "aaa z"], 20, minimum_count=2)
    assert set("".join(tokenizer.vocabulary.entries)) == {"\u2581", "a", "b"}
    assert tokenizer.tokenize(tf.constant(["z"])).to_list()[0][-1] == UNKNOWN


def test_a_size_below_the_number_of_characters_names_the_smallest():
    with pytest.raises(UserError, match=r"size 10 is too small: .* need 27 places"):
        SubwordTokenizer().learn(SENTENCES, 10)
    tokenizer = SubwordTokenizer()
    tokenizer.learn(SENTENCES, 27)
    assert tokenizer.vocabulary_size == 27


def test_a_size_that_the_text_cannot_fill_gives_what_there_is():
    tokenizer = SubwordTokenizer()
    tokenizer.learn(["a small text"])
    assert 10 < tokenizer.vocabulary_size < 100


def test_an_unknown_algorithm():
    with pytest.raises(UserError, match="Did you mean 'unigram'"):
        SubwordTokenizer("unigrams")


def test_nothing_is_written_to_the_terminal(capfd: pytest.CaptureFixture[str]):
    tokenizer = SubwordTokenizer()
    tokenizer.learn(SENTENCES, 45)
    tokenizer.tokenize(tf.constant(SENTENCES))
    assert capfd.readouterr() == ("", "")
