from __future__ import annotations

import gzip
from pathlib import Path

import pytest
import sacremoses
import tensorflow as tf

from tfnmt.errors import UserError
from tfnmt.text.word import WordTokenizer


def test_lower_case_comes_after_the_rules_that_need_capitals():
    tokenizer = WordTokenizer("en", lowercase=True)
    assert tokenizer.split(tf.constant(["Mr. Smith"])).to_list() == [[b"mr.", b"smith"]]


def test_nothing_is_escaped():
    tokenizer = WordTokenizer("en")
    text = "\"R&D\" & 'x' <b> [a] | $5"
    tokens = tokenizer.split(tf.constant([text]))
    assert b"".join(tokens.flat_values.numpy()).decode() == text.replace(" ", "")


def test_the_language_is_part_of_the_configuration():
    assert WordTokenizer.from_config(WordTokenizer("fr").get_config()).language == "fr"


def test_an_unknown_language_names_the_known_ones():
    with pytest.raises(UserError, match=r"language 'xx'\. Known: cs, de, en, fr\."):
        WordTokenizer("xx")


@pytest.mark.parametrize("language", ["en", "de", "fr", "cs"])
def test_agreement_with_sacremoses_on_real_text(corpora: Path, language: str):
    """The reduced form of benchmarks/moses_agreement.py, whose result is docs/moses_agreement.md."""
    lines = []
    for path in (corpora / f"multi30k/train.{language}.gz", corpora / f"wmt/newstest2013.{language}"):
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        lines += content.decode().split("\n")[:1000]
    tokenizer = WordTokenizer(language)
    tokens = [sacremoses.MosesTokenizer(language).tokenize(line, escape=False) for line in lines]
    joined = [sacremoses.MosesDetokenizer(language).detokenize(row, unescape=False) for row in tokens]
    ours = [[word.decode() for word in row] for row in tokenizer.split(tf.constant(lines)).to_list()]
    texts = [text.decode() for text in tokenizer.join(tf.ragged.constant(tokens)).numpy()]
    assert sum(map(list.__eq__, ours, tokens)) >= 0.99 * len(lines)
    assert sum(map(str.__eq__, texts, joined)) >= 0.98 * len(lines)
