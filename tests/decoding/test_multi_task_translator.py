"""One translator, many languages: each row gets the one that it asks for, by every route."""

from __future__ import annotations

from pathlib import Path

import keras
import pytest

from tests.decoding.copy_network import WORDS, BlankTokenizer
from tests.models.networks import SOURCE_VOCABULARY, TARGET_VOCABULARY, of_tasks
from tfnmt.decoding.beam_search import BeamSearch
from tfnmt.decoding.multi_task_translator import MultiTaskTranslator
from tfnmt.errors import UserError
from tfnmt.text.lexicon import Lexicon
from tfnmt.text.vocabulary import Vocabulary
from tfnmt.text.word import WordTokenizer

LINES = ["w1 w2", "", "w3 Zyx w4 w5 w1", "w2"]


def tokenizer(size: int, kind: type = BlankTokenizer) -> BlankTokenizer:
    made = kind()
    made.use(Vocabulary(WORDS[: size - 4]))
    return made


def made(kind: type = BlankTokenizer) -> MultiTaskTranslator:
    targets = {language: tokenizer(TARGET_VOCABULARY, kind) for language in ("de", "fr")}
    return MultiTaskTranslator(
        tokenizer(SOURCE_VOCABULARY, kind), targets, of_tasks("de", "fr"), BeamSearch(), beam_size=2, recipe="r"
    )


@pytest.fixture(scope="module")
def translator() -> MultiTaskTranslator:
    return made()


def test_the_language_decides_the_translation(translator: MultiTaskTranslator) -> None:  # C41
    german, french = (translator.translate(LINES, to=language) for language in ("de", "fr"))
    assert german != french
    assert german == translator.task("de").translate(LINES) and german[1] == french[1] == ""


def test_rows_may_differ(translator: MultiTaskTranslator) -> None:  # C41
    to = ["fr", "de", "de", "fr"]
    alone = [translator.translate([line], to=language)[0] for line, language in zip(LINES, to, strict=True)]
    assert translator.translate(LINES, to=to) == alone
    scores = translator.score(LINES, LINES, to=to)
    assert scores == pytest.approx(
        [translator.score([line], [line], to=language)[0] for line, language in zip(LINES, to, strict=True)], abs=1e-5
    )
    aligned = translator.align(LINES, to=to)
    assert [" ".join(one.source_tokens) for one in aligned] == LINES


def test_a_language_must_be_named_and_known(translator: MultiTaskTranslator) -> None:
    with pytest.raises(UserError, match="translates into de, fr: say into which"):
        translator.translate(LINES)
    with pytest.raises(UserError, match="does not translate into 'it', but into de, fr"):
        translator.translate(LINES, to=["de", "de", "it", "fr"])
    with pytest.raises(UserError, match="1 languages for 4 sentences"):
        translator.translate(LINES, to=["de"])
    with pytest.raises(UserError, match="sentences must be a list of strings, not one string"):
        translator.translate("Hi", to=["de", "fr"])


def test_a_lexicon_is_of_one_language(translator: MultiTaskTranslator) -> None:
    given = translator.with_lexicon(Lexicon({"Zyx": "Zett"}), "de")
    assert given.task("de").lexicon is not None and given.task("fr").lexicon is None
    assert given.network is translator.network
    with pytest.raises(UserError, match="does not translate into 'it'"):
        translator.with_lexicon(Lexicon(), "it")


def test_one_file_holds_all_of_it(tmp_path: Path) -> None:  # C41, C72
    translator = made(WordTokenizer)
    translator.save(tmp_path / "several.keras")
    again = keras.saving.load_model(tmp_path / "several.keras")
    assert (again.languages, again.recipe, again.beam_size) == (("de", "fr"), "r", 2)
    assert again.network.task("fr").encoder is again.network.task("de").encoder
    sources, targets = ["w1 w2", "w3"], ["w2", "w4 w5"]
    for language in again.languages:
        expected = translator.score(sources, targets, to=language)
        assert again.score(sources, targets, to=language) == pytest.approx(expected, abs=1e-6)


def test_tokenizers_and_tasks_must_agree(translator: MultiTaskTranslator) -> None:
    with pytest.raises(ValueError, match="A tokenizer for each task"):
        MultiTaskTranslator(
            translator.source_tokenizer, {"de": tokenizer(TARGET_VOCABULARY)}, translator.network, BeamSearch()
        )
