"""Several networks as one: each number against the members' own."""

from __future__ import annotations

from pathlib import Path

import keras
import numpy as np
import pytest
import tensorflow as tf

from tests import twins
from tests.models.luong_networks import predictive, stacked
from tests.models.networks import PAIRS, TARGET_VOCABULARY, padded, searching
from tfnmt.decoding.beam_search import BeamSearch
from tfnmt.decoding.forced import forced
from tfnmt.models.combination import Combination, MeanOfLogits, MeanOfLogProbabilities, MeanOfProbabilities
from tfnmt.models.encoder_decoder import EncoderDecoder
from tfnmt.models.ensemble import Ensemble
from tfnmt.models.sequences import append_end

SOME = [PAIRS[0], PAIRS[2], PAIRS[3]]
SOURCE_IDS, TARGET_IDS = (tf.constant(padded([pair[side] for pair in SOME])) for side in (0, 1))
SEARCH = BeamSearch(maximum_length_factor=1.0, maximum_length_constant=1, minimum_length_factor=1.0)


def network(number: int) -> EncoderDecoder:
    """RNNsearch reads an end symbol and aligns the word it predicts; Luong et al.'s does neither."""
    made = (searching, predictive)[number]()
    twins.randomize(made, seed=number)
    return made


@pytest.fixture(scope="module")
def members() -> list[EncoderDecoder]:
    return [network(0), network(1)]


@pytest.mark.parametrize("logits_at_once", [2**26, 5 * TARGET_VOCABULARY])
def test_costs_are_those_of_the_combined_distribution(
    members: list[EncoderDecoder], logits_at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tfnmt.layers.token_blocks.LOGITS_AT_ONCE", logits_at_once)
    logs = [tf.nn.log_softmax(member((SOURCE_IDS, TARGET_IDS))).numpy().astype(np.float64) for member in members]
    labels = append_end(TARGET_IDS).numpy()
    for way, combined in (
        (MeanOfLogProbabilities, np.mean(logs, axis=0)),  # which does not sum to 1
        (MeanOfProbabilities, np.log(np.mean(np.exp(logs), axis=0))),
    ):
        costs, mask, _ = Ensemble(members, way()).token_negative_log_likelihoods(SOURCE_IDS, TARGET_IDS)
        expected = -np.take_along_axis(combined, labels[..., np.newaxis], axis=-1)[..., 0] * (labels != 0)
        np.testing.assert_allclose(costs, expected, atol=3e-5)
        np.testing.assert_array_equal(mask, labels != 0)


def test_an_ensemble_may_be_a_member(members: list[EncoderDecoder]) -> None:
    pair = Ensemble(members)
    costs, *_ = Ensemble([pair, pair]).token_negative_log_likelihoods(SOURCE_IDS, TARGET_IDS)
    expected, *_ = pair.token_negative_log_likelihoods(SOURCE_IDS, TARGET_IDS)
    np.testing.assert_allclose(costs, expected, atol=3e-5)


def test_weights_are_the_mean_of_those_of_the_same_word(members: list[EncoderDecoder]) -> None:
    first, second = members
    assert (first.decoder.alignment_shift, second.decoder.alignment_shift) == (0, 1)
    ensemble = Ensemble(members)
    assert ensemble.decoder.alignment_shift == 1
    weights = forced(ensemble, SOURCE_IDS, TARGET_IDS).weights.numpy()[:, 0]
    own = [forced(member, SOURCE_IDS, TARGET_IDS).weights.numpy()[:, 0] for member in members]
    for row, (source, target) in enumerate(SOME):
        for word in range(len(target)):
            expected = np.zeros(len(source) + 1)  # the end symbol has weight with the first alone
            expected += own[0][row, word, : len(source) + 1] / 2
            expected[: len(source)] += own[1][row, word + 1, : len(source)] / 2
            np.testing.assert_allclose(weights[row, word + 1, : len(source) + 1], expected, atol=1e-6)


def test_a_search_says_what_forced_decoding_says(members: list[EncoderDecoder]) -> None:
    ensemble = Ensemble(members, MeanOfLogProbabilities())
    found = SEARCH(ensemble, SOURCE_IDS, 3, 1)
    again = forced(ensemble, SOURCE_IDS, found.ids[:, 0])
    compared = 0
    for row, (source, _) in enumerate(SOME):
        if source:
            steps = int(found.lengths[row, 0]) + bool(found.finished[row, 0])
            expected = again.word_log_probabilities[row, :steps].numpy().sum()
            assert float(found.log_probabilities[row, 0]) == pytest.approx(expected, abs=1e-4)
            np.testing.assert_allclose(found.weights[row, 0, :steps], again.weights[row, 0, :steps], atol=1e-5)
            compared += steps
    assert compared >= 5


@pytest.mark.parametrize(("number", "way"), [(0, MeanOfProbabilities), (1, MeanOfLogits)], ids=["RNNsearch", "local-p"])
def test_a_network_in_an_ensemble_with_itself_changes_nothing(
    members: list[EncoderDecoder], number: int, way: type[Combination]
) -> None:
    alone, ensemble = members[number], Ensemble([members[number]] * 2, way())
    for one, other in zip(SEARCH(alone, SOURCE_IDS, 3, 2), SEARCH(ensemble, SOURCE_IDS, 3, 2), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)
    for one, other in zip(
        alone.token_negative_log_likelihoods(SOURCE_IDS, TARGET_IDS),
        ensemble.token_negative_log_likelihoods(SOURCE_IDS, TARGET_IDS),
        strict=True,
    ):
        np.testing.assert_allclose(one, other, atol=1e-5)


def test_a_saved_ensemble_keeps_its_members_and_its_way(members: list[EncoderDecoder], tmp_path: Path) -> None:
    ensemble = Ensemble([*members, members[0]], MeanOfProbabilities())
    ensemble.save(tmp_path / "ensemble.keras")
    loaded = keras.saving.load_model(tmp_path / "ensemble.keras")
    assert isinstance(loaded.combination, MeanOfProbabilities)
    np.testing.assert_array_equal(loaded((SOURCE_IDS, TARGET_IDS)), ensemble((SOURCE_IDS, TARGET_IDS)))


def test_other_vocabularies_are_refused(members: list[EncoderDecoder]) -> None:
    other = stacked()
    other.decoder.vocabulary_size = TARGET_VOCABULARY + 1
    with pytest.raises(ValueError, match=r"decoders of an ensemble's networks must have one vocabulary.*11, 12"):
        Ensemble([members[0], other])
    with pytest.raises(ValueError, match="needs a network at least"):
        Ensemble([])
