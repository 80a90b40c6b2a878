"""Translators that vote."""

from __future__ import annotations

import tomllib
from pathlib import Path

import keras
import pytest

from tests.decoding.tiny import tiny_network
from tests.models.luong_networks import stacked
from tests.models.networks import SOURCE_VOCABULARY, TARGET_VOCABULARY, judging
from tfnmt.decoding.beam_search import BeamSearch
from tfnmt.decoding.ensemble import ensemble
from tfnmt.decoding.translator import Translator
from tfnmt.decoding.value_guided_search import ValueGuidedSearch
from tfnmt.errors import UserError
from tfnmt.export.exported_translator import load
from tfnmt.export.saved_model import export_saved_model
from tfnmt.layers.general_score import GeneralScore
from tfnmt.layers.global_attention import GlobalAttention
from tfnmt.models.combination import MeanOfProbabilities
from tfnmt.models.encoder_decoder import EncoderDecoder
from tfnmt.text.character import CharacterTokenizer
from tfnmt.text.vocabulary import Vocabulary

WORDS = "abcdefghijklmnop"
LINES = ["abc", "", "Zh d", "e"]


def translator(
    network: EncoderDecoder, source: int = SOURCE_VOCABULARY, target: int = TARGET_VOCABULARY, **options: bool
) -> Translator:
    tokenizers = CharacterTokenizer(**options), CharacterTokenizer()
    for tokenizer, size in zip(tokenizers, (source, target), strict=True):
        tokenizer.use(Vocabulary(WORDS[: size - 4]))
    search = BeamSearch(maximum_length_factor=1.0, maximum_length_constant=1)
    return Translator(*tokenizers, network, search, beam_size=2, recipe='name = "tiny"\n')


@pytest.fixture(scope="module")
def members() -> list[Translator]:
    luong = stacked(GlobalAttention(GeneralScore()), input_feeding=True)
    return [translator(tiny_network(SOURCE_VOCABULARY, TARGET_VOCABULARY, seed=2)), translator(luong)]


@pytest.mark.slow
def test_an_ensemble_saves_and_exports_like_any_translator(members: list[Translator], tmp_path: Path) -> None:
    both = ensemble(members, MeanOfProbabilities())
    both.save(tmp_path / "both.keras")
    loaded = keras.saving.load_model(tmp_path / "both.keras")
    exported = load(export_saved_model(loaded, tmp_path / "served"))
    assert exported.translate(LINES) == loaded.translate(LINES) == both.translate(LINES)
    assert exported.score(LINES[:1], ["ab"]) == pytest.approx(loaded.score(LINES[:1], ["ab"]), abs=1e-5)
    (alignment,), (again,) = (translator.align(LINES[:1], ["ab"]) for translator in (loaded, exported))
    assert again.weights == pytest.approx(alignment.weights, abs=1e-5)
    recipe = (tmp_path / "served" / "1" / "assets.extra" / "recipe.toml").read_text(encoding="utf-8")
    assert tomllib.loads(recipe) == {"name": "tiny"}  # the first member's, for programs
    assert "# An ensemble by MeanOfProbabilities" in recipe and '# name = "tiny"' in recipe


def test_translators_of_other_words_are_refused(members: list[Translator]) -> None:
    network = members[0].network
    with pytest.raises(UserError, match="another target side than translator 1: its vocabulary of 11 is not the same"):
        other = translator(network)
        other.target_tokenizer.use(Vocabulary(reversed(WORDS[: TARGET_VOCABULARY - 4])))
        ensemble([members[0], other])
    with pytest.raises(UserError, match="another source side than translator 1: lowercase is True instead of False"):
        ensemble([members[0], translator(network, lowercase=True)])
    with pytest.raises(UserError, match="at least one translator"):
        ensemble([])


def test_of_a_value_network_the_policy_votes(members: list[Translator]) -> None:
    network = judging()
    judge, policy = translator(network), translator(network.policy)
    for one, other in (
        ([members[0], judge.with_search(ValueGuidedSearch())], [members[0], policy]),
        ([judge, members[0]], [policy, members[0]]),
    ):
        assert ensemble(one).score(LINES, ["ab"] * 4) == pytest.approx(ensemble(other).score(LINES, ["ab"] * 4))


def test_a_search_by_a_value_network_is_refused(members: list[Translator]) -> None:
    with pytest.raises(UserError, match="searches by a value network, and an ensemble has none"):
        ensemble([members[0].with_search(ValueGuidedSearch()), members[1]])
