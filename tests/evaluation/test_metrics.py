"""The numbers of multi-bleu, of sacreBLEU's own command and of worked examples."""

from __future__ import annotations

import collections
import math

import pytest

from tfnmt.errors import UserError
from tfnmt.evaluation.metrics import bleu_detokenized, bleu_tokenized, chrf

HYPOTHESES = [
    "Two young men are walking in the park, near the lake.",
    "Mr. Smith's dog runs fast; it can't stop.",
    "A woman (in red) plays the guitar.",
]
REFERENCES = [
    "Two young men walk in the park near the lake.",
    "Mr. Smith's dog runs very fast; it can't stop!",
    "A Woman in red plays the guitar.",
]


def multi_bleu(hypotheses: list[list[str]], references: list[list[str]]) -> float:
    """Corpus BLEU-4 of Papineni et al. (2002), equations of section 2.3, in plain Python."""
    matches, totals = [0] * 4, [0] * 4
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        for order in range(1, 5):
            found, wanted = (
                collections.Counter(tuple(words[at : at + order]) for at in range(len(words) - order + 1))
                for words in (hypothesis, reference)
            )
            matches[order - 1] += sum((found & wanted).values())
            totals[order - 1] += sum(found.values())
    lengths = sum(map(len, hypotheses)), sum(map(len, references))
    penalty = min(0.0, 1 - lengths[1] / lengths[0])
    return 100 * math.exp(penalty + sum(math.log(m / t) for m, t in zip(matches, totals, strict=True)) / 4)


# Tokenized by hand by the rules of the Moses tokenizer: "Mr." keeps its period, clitics begin with the apostrophe.
HYPOTHESIS_WORDS = [
    line.split()
    for line in (
        "Two young men are walking in the park , near the lake .",
        "Mr. Smith 's dog runs fast ; it can 't stop .",
        "A woman ( in red ) plays the guitar .",
    )
]
REFERENCE_WORDS = [
    line.split()
    for line in (
        "Two young men walk in the park near the lake .",
        "Mr. Smith 's dog runs very fast ; it can 't stop !",
        "A Woman in red plays the guitar .",
    )
]


def test_tokenized_bleu_is_multi_bleu_on_moses_tokens():
    score = bleu_tokenized(HYPOTHESES, REFERENCES)
    assert score.value == pytest.approx(multi_bleu(HYPOTHESIS_WORDS, REFERENCE_WORDS), abs=1e-9)
    assert "case:mixed" in score.signature and "tok:moses-en-sacremoses" in score.signature


def test_tokenized_bleu_without_case():
    lowered = [[[word.lower() for word in line] for line in side] for side in (HYPOTHESIS_WORDS, REFERENCE_WORDS)]
    score = bleu_tokenized(HYPOTHESES, REFERENCES, lowercase=True)
    assert score.value == pytest.approx(multi_bleu(*lowered), abs=1e-9)
    assert score.value > bleu_tokenized(HYPOTHESES, REFERENCES).value + 1
    assert "case:lc" in score.signature


def test_tokenized_bleu_uses_the_prefixes_of_the_language():
    # In German "bzw." is an abbreviation that keeps its period within a sentence; in English it is not.
    hypotheses, references = ["Hund bzw. Katze schlafen hier"], ["Hund bzw . Katze schlafen hier"]
    assert bleu_tokenized(hypotheses, references, language="de").value < 100
    assert bleu_tokenized(hypotheses, references, language="en").value == pytest.approx(100)


# C94: the score is that of the restored text, not of its pieces.
def test_detokenized_bleu_has_the_value_of_the_restored_text():
    score = bleu_detokenized(["reading books is fun now"], ["reading books was fun now"])
    assert score.value == pytest.approx(30.21, abs=0.005)
    assert score.signature.startswith("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:")


def test_detokenized_bleu_without_case():
    score = bleu_detokenized(["Reading Books was fun now"], ["reading books was fun now"], lowercase=True)
    assert score.value == pytest.approx(100) and "case:lc" in score.signature


# C96: an unknown word never matches an unknown word.
@pytest.mark.parametrize("metric", [bleu_tokenized, bleu_detokenized])
def test_unknown_never_matches(metric):
    reference = "a <unk> b c d <unk> e f g"
    assert metric([reference], [reference]).value < 60
    assert metric([reference], [reference]).value == pytest.approx(
        metric(["a <qqq> b c d <qqq> e f g"], [reference]).value
    )


def test_unknown_never_matches_in_chrf():
    assert chrf(["<unk> <unk>"], ["<unk> <unk>"]).value < chrf(["<unknown> <unknown>"], ["<unknown> <unknown>"]).value


# C97: a short hypothesis is punished by exp(1 - 12/6), a long one by its precision.
def test_hypotheses_come_first():
    short, long = "a b c d e f", "a b c d e f g h i j k l"
    for metric in (bleu_tokenized, bleu_detokenized):
        assert metric([short], [long]).value == pytest.approx(100 * math.exp(1 - 12 / 6))
        assert metric([long], [short]).value == pytest.approx(100 * (6 / 12 * 5 / 11 * 4 / 10 * 3 / 9) ** 0.25)


# C97: languages without blanks.
def test_tokenizer_for_chinese_is_selectable_and_signed():
    hypotheses, references = ["我们都是非常好的朋友们"], ["你们都是非常好的朋友们"]
    assert bleu_detokenized(hypotheses, references).value == 0
    chinese = bleu_detokenized(hypotheses, references, tokenizer="zh")
    assert chinese.value == pytest.approx(100 * (10 / 11 * 9 / 10 * 8 / 9 * 7 / 8) ** 0.25)
    assert "tok:zh" in chinese.signature


def test_unknown_tokenizer_is_refused_with_the_nearest():
    with pytest.raises(UserError, match=r"no tokenizer 'ja-mekab'.*Did you mean 'ja-mecab'"):
        bleu_detokenized(["a"], ["a"], tokenizer="ja-mekab")


def test_chrf_of_a_worked_example():
    # "ab" against "abc": 1-grams 2 of 2 and 2 of 3, 2-grams 1 of 1 and 1 of 2; the orders above have no n-gram in the
    # hypothesis and do not count. F = 5PR / (4P + R) with the means over the orders.
    recall = (2 / 3 + 1 / 2) / 2
    score = chrf(["ab"], ["abc"])
    assert score.value == pytest.approx(100 * 5 * recall / (4 + recall))
    assert "nc:6|nw:0" in score.signature


# C07
@pytest.mark.parametrize("metric", [bleu_tokenized, bleu_detokenized, chrf])
def test_sides_of_unequal_length_are_refused(metric):
    with pytest.raises(UserError, match="2 translations but 1 references"):
        metric(["a", "b"], ["a"])
    with pytest.raises(UserError, match="no translations"):
        metric([], [])


@pytest.mark.parametrize("metric", [bleu_tokenized, bleu_detokenized, chrf])
def test_blank_translations_have_a_score(metric):
    assert metric(["", ""], ["a b", "c"]).value == 0
