"""What holds for every tokenizer."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import keras
import numpy as np
import pytest
import tensorflow as tf

from tests.processes import python
from tests.text.conftest import SENTENCES, SIZES, TOKENIZERS
from tfnmt.corpora.text_file import TextFile
from tfnmt.errors import UserError
from tfnmt.text.tokenizer import Tokenizer
from tfnmt.text.vocabulary import END, PAD, START, UNKNOWN, Vocabulary


def texts(strings: tf.Tensor) -> list[str]:
    return [text.decode() for text in strings.numpy()]


def test_text_survives_the_way_through_ids(tokenizer: Tokenizer):
    assert texts(tokenizer.detokenize(tokenizer.tokenize(tf.constant(SENTENCES)))) == SENTENCES


def test_ids_are_int32_and_in_the_vocabulary(tokenizer: Tokenizer):
    ids = tokenizer.tokenize(tf.constant(SENTENCES))
    assert ids.dtype == tf.int32
    assert ids.flat_values.numpy().min() > UNKNOWN
    assert ids.flat_values.numpy().max() < tokenizer.vocabulary_size == len(tokenizer.vocabulary.entries) + 4


@pytest.mark.parametrize("blank", ["", "   ", "\t", "\u3000\u00a0", "\u2028\r\n", "\x85\x1f", "\x00"])
def test_blank_rows_are_empty(tokenizer: Tokenizer, blank: str):  # C09
    ids = tokenizer.tokenize(tf.constant(["A man", blank]))
    assert ids.row_lengths().numpy()[0] > 0
    assert ids.row_lengths().numpy()[1] == 0
    assert texts(tokenizer.detokenize(ids)) == ["A man", ""]


def test_no_sentences_at_all(tokenizer: Tokenizer):
    ids = tokenizer.tokenize(tf.constant([], tf.string))
    assert ids.shape[0] == 0
    assert tokenizer.detokenize(ids).shape == [0]


def test_control_symbols_in_text_are_text(kind: str):
    tokenizer = TOKENIZERS[kind]()
    lines = ["a <unk> b </s> c <pad> d <s>", *SENTENCES]
    tokenizer.learn(lines, SIZES[kind])
    ids = tokenizer.tokenize(tf.constant(lines[:1]))
    assert ids.flat_values.numpy().min() > UNKNOWN
    blanks_aside = [text.replace(" ", "") for text in texts(tokenizer.detokenize(ids))]
    assert blanks_aside == [lines[0].replace(" ", "")]  # the word tokenizer reads "<" and "unk" as two words


def test_the_batch_makes_no_difference(tokenizer: Tokenizer):
    together = tokenizer.tokenize(tf.constant([*SENTENCES, ""])).to_list()
    alone = [tokenizer.tokenize(tf.constant([line])).to_list()[0] for line in [*SENTENCES, ""]]
    assert together == alone


def test_white_space_of_any_kind_only_separates(tokenizer: Tokenizer):  # C01, C04
    spaced, plain = tokenizer.tokenize(
        tf.constant([" A\u00a0man\u2028sees\t the \x00 \x1fdog\r", "A man sees the dog"])
    ).to_list()
    assert spaced == plain


def test_control_characters_separate_as_they_do_in_files_of_text(tokenizer: Tokenizer, tmp_path: Path):  # C91
    lines = [f"the{chr(code)}dog" for code in range(0xA1) if chr(code) != "\n"]
    (tmp_path / "text").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="")
    read = [line.text for line in TextFile(tmp_path / "text")]
    assert len(read) == len(lines)
    assert tokenizer.tokenize(tf.constant(lines)).to_list() == tokenizer.tokenize(tf.constant(read)).to_list()


def test_bytes_that_are_no_text_do_not_crash(tokenizer: Tokenizer):
    tokens = tokenizer.split(tf.constant([b"a \xff\xfe man"]))
    assert "\ufffd" in b"".join(tokens.flat_values.numpy()).decode()


def test_rows_end_at_the_first_end_symbol(tokenizer: Tokenizer):  # C52
    first, second = tokenizer.tokenize(tf.constant(["the dog", "a man"])).to_list()
    dense = np.zeros([2, 40], np.int32)
    rows = [[START, *first, END, *second, END], [PAD, *second]]
    for number, row in enumerate(rows):
        dense[number, : len(row)] = row
    assert texts(tokenizer.detokenize(tf.constant(dense))) == ["the dog", "a man"]
    assert texts(tokenizer.detokenize(tf.ragged.constant(rows, dtype=tf.int32))) == ["the dog", "a man"]


def test_unknown_is_shown(tokenizer: Tokenizer):
    assert texts(tokenizer.detokenize(tf.constant([[UNKNOWN]]))) == ["<unk>"]
    assert tokenizer.tokens(tf.constant([[UNKNOWN, PAD]])).to_list() == [[b"<unk>"]]


def test_one_trace_for_every_batch_and_length(tokenizer: Tokenizer):  # C90
    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def round_trip(strings: tf.Tensor) -> tf.Tensor:
        return tokenizer.detokenize(tokenizer.tokenize(strings))

    for count in range(len(SENTENCES) + 1):
        assert texts(round_trip(tf.constant(SENTENCES[:count], tf.string))) == SENTENCES[:count]
    assert round_trip.experimental_get_tracing_count() == 1


def test_learning_is_the_same_in_every_run(kind: str, tokenizer: Tokenizer):
    again = TOKENIZERS[kind]()
    again.learn(iter(SENTENCES), SIZES[kind])
    assert again.vocabulary.entries == tokenizer.vocabulary.entries


@pytest.mark.parametrize("form", ["NFC", "NFKC"])
def test_normalization(kind: str, form: str):
    text = "e\u0301 \ufb01 A\u030a"
    tokenizer = TOKENIZERS[kind](normalization=form)
    tokenizer.learn([text, *SENTENCES], SIZES[kind])
    assert texts(tokenizer.detokenize(tokenizer.tokenize(tf.constant([text])))) == [unicodedata.normalize(form, text)]


def test_lower_case_reaches_beyond_ascii(kind: str):
    tokenizer = TOKENIZERS[kind](lowercase=True)
    tokenizer.learn(["ÜBER DEN ČAS", *SENTENCES], SIZES[kind])
    assert texts(tokenizer.detokenize(tokenizer.tokenize(tf.constant(["Über den Čas"])))) == ["über den čas"]


def test_use_before_learning_says_what_to_do(kind: str):
    with pytest.raises(UserError, match="learn"):
        TOKENIZERS[kind]().tokenize(tf.constant(["a"]))


@pytest.mark.parametrize("lines", [[], ["", " \t", "\u3000"]])
def test_nothing_to_learn_from(kind: str, lines: list[str]):
    with pytest.raises(UserError, match="holds no word"):
        TOKENIZERS[kind]().learn(lines)


def test_unknown_normalization(kind: str):
    with pytest.raises(UserError, match="Did you mean 'NFKC'"):
        TOKENIZERS[kind](normalization="NFKCC")


def test_a_vocabulary_can_be_handed_in():
    tokenizer = TOKENIZERS["word"]()
    tokenizer.use(Vocabulary(["man", "dog"]))
    assert tokenizer.tokenize(tf.constant(["dog sees man"])).to_list() == [[5, 3, 4]]


def test_calling_the_layer_tokenizes(tokenizer: Tokenizer):
    strings = tf.constant(SENTENCES)
    assert tokenizer(strings).to_list() == tokenizer.tokenize(strings).to_list()


def test_the_configuration_holds_options_only(kind: str, tokenizer: Tokenizer):
    config = tokenizer.get_config()
    assert config["normalization"] == "NFC" and config["lowercase"] is False
    assert not any("dog" in str(value) for value in config.values())
    assert TOKENIZERS[kind].from_config(config).get_config() == config


@keras.saving.register_keras_serializable(package="tests")
class Holder(keras.Model):
    """The least model that holds a tokenizer, as the translator does."""

    def __init__(self, tokenizer: Tokenizer, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.tokenizer = tokenizer
        self.built = True

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def ids(self, strings: tf.Tensor) -> tf.Tensor:
        return self.tokenizer.tokenize(strings).to_tensor()

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.int32)])
    def text(self, ids: tf.Tensor) -> tf.Tensor:
        return self.tokenizer.detokenize(ids)

    def get_config(self) -> dict[str, object]:
        return {"tokenizer": keras.saving.serialize_keras_object(self.tokenizer)}

    @classmethod
    def from_config(cls, config: dict[str, dict[str, object]]) -> Holder:
        return cls(keras.saving.deserialize_keras_object(config["tokenizer"]))


IN_A_FRESH_PROCESS = """
import sys
import keras
import tensorflow as tf
import tensorflow_text
folder, text = sys.argv[1:]
for kind in ("word", "character", "subword"):
    exported = tf.saved_model.load(f"{folder}/moved/{kind}")
    print(exported.ids(tf.constant([text, ""])).numpy().tolist())
    print(exported.text(exported.ids(tf.constant([text]))).numpy()[0].decode())
import tfnmt
from tests.text.test_tokenizer import Holder
for kind in ("word", "character", "subword"):
    loaded = keras.saving.load_model(f"{folder}/{kind}.keras")
    print(loaded.ids(tf.constant([text, ""])).numpy().tolist())
    print(loaded.tokenizer.vocabulary.fingerprint)
"""


def test_saved_models_work_in_a_fresh_process(tmp_path: Path):  # C72, C75, C77
    text = "Mr. Smith sees two dogs."
    exported_lines, loaded_lines = [], []
    for kind, made in TOKENIZERS.items():
        tokenizer = made()
        tokenizer.learn(SENTENCES, SIZES[kind])
        model = Holder(tokenizer)
        model.save(tmp_path / f"{kind}.keras")
        tf.saved_model.save(model, str(tmp_path / "export" / kind))
        ids = str(model.ids(tf.constant([text, ""])).numpy().tolist())
        exported_lines += [ids, texts(tokenizer.detokenize(tokenizer.tokenize(tf.constant([text]))))[0]]
        loaded_lines += [ids, tokenizer.vocabulary.fingerprint]
    (tmp_path / "export").rename(tmp_path / "moved")
    said = python("-c", IN_A_FRESH_PROCESS, tmp_path, text).output()
    assert said.split("\n")[:-1] == exported_lines + loaded_lines
