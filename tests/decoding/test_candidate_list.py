"""Candidate lists in search: K5, sentences alone and in company, ensembles, and what is saved."""

from __future__ import annotations

from pathlib import Path

import keras
import numpy as np
import pytest
import tensorflow as tf

from tests.decoding.copy_network import copy_translator
from tests.decoding.tiny import ENGLISH, tiny_translator
from tfnmt.decoding.beam_search import BeamSearch
from tfnmt.decoding.candidate_list import CandidateList
from tfnmt.decoding.ensemble import ensemble
from tfnmt.decoding.translator import Translator
from tfnmt.errors import UserError
from tfnmt.models.combination import MeanOfLogProbabilities
from tfnmt.text.lexicon import Lexicon, WordTranslation
from tfnmt.text.vocabulary import UNKNOWN

LEXICON = Lexicon(
    {
        "man": (WordTranslation("Mann", 0.6), WordTranslation("Zyx", 0.3), WordTranslation("ist", 0.1)),
        "dogs": (WordTranslation("Hunde", 0.9), WordTranslation("singt", 0.1)),
        "Two": "Zwei",
        "book": "liest",
    }
)
COMMON = 5


@pytest.fixture(scope="module")
def tiny() -> Translator:
    return tiny_translator().with_lexicon(LEXICON)


@pytest.fixture(scope="module")
def listed(tiny: Translator) -> Translator:
    return tiny.with_candidates(COMMON, 2)


def allowed(translator: Translator, sentence: str, translations: int) -> set[int]:
    """The candidates of a sentence in plain Python."""
    words = [word.decode() for word in translator.source_tokenizer.split(tf.constant([sentence])).values.numpy()]
    likeliest = [
        translation.word
        for word in words
        if word in translator.source_tokenizer.vocabulary.entries
        for translation in LEXICON.entries.get(word, ())[:translations]
    ]
    ids = translator.target_tokenizer.vocabulary.ids(tf.constant(likeliest, tf.string)).numpy().tolist()
    return {*range(COMMON), *(number for number in ids if number != UNKNOWN)}


def ids_of(translator: Translator, sentences: list[str], n_best: int = 4) -> list[set[int]]:
    """The words of the best translations of each sentence."""
    source_ids = translator.source_tokenizer.tokenize(tf.constant(sentences)).to_tensor()
    candidates = None if translator.candidates is None else translator.candidates(source_ids)
    found = translator.search(translator.network, source_ids, 4, n_best, candidates=candidates)
    return [set(row[row > 0].tolist()) for row in found.ids.numpy().reshape(len(sentences), -1)]


def test_candidates_are_the_common_words_and_the_likeliest_translations(listed: Translator) -> None:
    source_ids = listed.source_tokenizer.tokenize(tf.constant([*ENGLISH, "Zyx"])).to_tensor()
    candidates = listed.candidates(source_ids)
    for sentence, own in zip([*ENGLISH, "Zyx"], candidates.ids.numpy(), strict=True):
        assert {*range(COMMON), *own[own > 0].tolist()} == allowed(listed, sentence, 2)


def test_translations_hold_candidates_only(tiny: Translator, listed: Translator) -> None:
    lists = [allowed(listed, sentence, 2) for sentence in ENGLISH]
    found, free = ids_of(listed, ENGLISH), ids_of(tiny, ENGLISH)
    assert all(words <= candidates for words, candidates in zip(found, lists, strict=True))
    assert not all(words <= candidates for words, candidates in zip(free, lists, strict=True))
    assert any(max(words) >= COMMON for words in found)  # words of their own are used


def test_a_list_of_all_words_decodes_like_the_vocabulary(tiny: Translator) -> None:  # K5
    whole = tiny.with_candidates(tiny.target_tokenizer.vocabulary_size, 2)
    for one, other in zip(tiny.translate(ENGLISH, n_best=3), whole.translate(ENGLISH, n_best=3), strict=True):
        assert [translation.text for translation in one] == [translation.text for translation in other]
        np.testing.assert_allclose([t.score for t in one], [t.score for t in other], atol=1e-4)


def test_a_sentence_is_translated_the_same_in_any_company(listed: Translator) -> None:  # C44
    together = listed.translate([*ENGLISH, ""], n_best=2)
    for sentence, expected in zip([*ENGLISH, ""], together, strict=True):
        (alone,) = listed.translate([sentence], n_best=2)
        assert [translation.text for translation in alone] == [translation.text for translation in expected]
        np.testing.assert_allclose([t.score for t in alone], [t.score for t in expected], atol=1e-4)


def test_the_normaliser_is_over_the_list(tiny: Translator, listed: Translator) -> None:
    """With one hypothesis of one word the score is a softmax over the candidates, in NumPy."""
    source_ids = tiny.source_tokenizer.tokenize(tf.constant(ENGLISH[:1])).to_tensor()
    logits = tiny.network((source_ids, tf.zeros([1, 0], tf.int32))).numpy()[0, 0]
    words = sorted(allowed(listed, ENGLISH[0], 2))
    probabilities = np.exp(logits[words]) / np.exp(logits[words]).sum()
    search = BeamSearch(length_normalization=0.0, maximum_length_factor=0.01, maximum_length_constant=1)
    found = search(tiny.network, source_ids, 30, 30, candidates=listed.candidates(source_ids))
    ends = [
        float(value) for value, length in zip(found.log_probabilities[0], found.lengths[0], strict=True) if length == 0
    ]
    assert any(value == pytest.approx(np.log(probabilities[words.index(2)]), abs=1e-4) for value in ends)


def test_more_words_than_the_beam_finds_are_no_words(tiny: Translator) -> None:  # C49
    narrow = tiny.with_candidates(5, 0)
    assert all(words <= set(range(5)) for words in ids_of(narrow, ENGLISH))
    source_ids = narrow.source_tokenizer.tokenize(tf.constant(ENGLISH)).to_tensor()
    found = narrow.search(narrow.network, source_ids, 20, 20, candidates=narrow.candidates(source_ids))
    for scores, ids in zip(found.scores.numpy(), found.ids.numpy(), strict=True):
        hypotheses = [tuple(row) for row in ids[np.isfinite(scores)].tolist()]
        assert len(set(hypotheses)) == len(hypotheses) > 0


def test_an_ensemble_of_different_lists_has_the_words_of_both(tiny: Translator) -> None:
    one, other = tiny.with_candidates(6, 1), tiny_translator(seed=3).with_lexicon(LEXICON).with_candidates(9, 2)
    both = ensemble([one, other], MeanOfLogProbabilities())
    assert both.candidates.common == 9
    source_ids = tiny.source_tokenizer.tokenize(tf.constant(ENGLISH)).to_tensor()
    joined, wider = both.candidates(source_ids), other.candidates(source_ids)
    assert [set(row) for row in joined.ids.numpy()] == [set(row) for row in wider.ids.numpy()]
    lists = [{*range(9), *row} for row in joined.ids.numpy().tolist()]
    assert all(words <= candidates for words, candidates in zip(ids_of(both, ENGLISH), lists, strict=True))
    assert ensemble([one, tiny]).candidates is None


def test_lists_of_different_sources_are_not_joined() -> None:
    with pytest.raises(ValueError, match="different source"):
        CandidateList.union([CandidateList(6, 1, 10), CandidateList(6, 1, 11)])


@pytest.mark.parametrize(("common", "translations"), [(3, 1), (9, -1)])
def test_a_list_without_control_symbols_is_refused(tiny: Translator, common: int, translations: int) -> None:
    with pytest.raises(UserError, match="at least 4 common words"):
        tiny.with_candidates(common, translations)


def test_translations_need_a_lexicon() -> None:
    with pytest.raises(UserError, match="tfnmt lexicon"):
        copy_translator().with_candidates(9, 1)


def test_the_list_is_saved_with_the_model(listed: Translator, tmp_path: Path) -> None:
    listed.save(tmp_path / "listed.keras")
    loaded = keras.saving.load_model(tmp_path / "listed.keras")
    np.testing.assert_array_equal(loaded.candidates.table, listed.candidates.table)
    assert np.any(listed.candidates.table.numpy())
    assert loaded.translate(ENGLISH) == listed.translate(ENGLISH)
