"""Search by probability and value: with the probability alone it is beam search."""

from __future__ import annotations

import keras
import numpy as np
import pytest
import tensorflow as tf

from tests.models.networks import PAIRS, SOURCE_IDS, judging, padded
from tests.twins import END
from tfnmt.decoding.beam_search import BeamSearch
from tfnmt.decoding.hypotheses import Hypotheses
from tfnmt.decoding.value_guided_search import ValueGuidedSearch

NETWORK = judging()
BEAM = 4


def found(search: BeamSearch, network: object = NETWORK) -> Hypotheses:
    return tf.function(lambda ids: search(network, ids, BEAM, BEAM), autograph=False)(SOURCE_IDS)


def test_with_the_probability_alone_it_is_length_normalised_beam_search() -> None:  # K16
    guided, plain = found(ValueGuidedSearch(alpha=1.0)), found(BeamSearch(length_normalization=1.0), NETWORK.policy)
    for one, other in zip(guided, plain, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)


def test_a_score_is_the_mean_of_probability_and_value() -> None:
    alpha = 0.3
    best = found(ValueGuidedSearch(alpha=alpha, maximum_length_factor=1.0, maximum_length_constant=2))
    compared = 0
    for row, (source, _) in enumerate(PAIRS):
        for n in np.flatnonzero(np.isfinite(best.scores[row])) if source else ():
            words = best.ids[row, n, : best.lengths[row, n]].numpy().tolist()
            words += [END] if best.finished[row, n] else []
            value = float(NETWORK((padded([source]), padded([words])))[0])
            likelihood = float(best.log_probabilities[row, n]) / max(len(words), 1)
            expected = alpha * likelihood + (1 - alpha) * np.log(value)
            assert float(best.scores[row, n]) == pytest.approx(expected, abs=1e-5)
            compared += 1
    assert compared >= 8
    assert np.all(np.diff(np.nan_to_num(best.scores, neginf=-1e9), axis=1) <= 0)


def test_blank_sentences_are_still_blank() -> None:  # C09
    best = found(ValueGuidedSearch(alpha=0.3))
    assert [float(score) for score in best.scores[3]] == [0.0, *[-np.inf] * (BEAM - 1)]


def test_survives_serialization() -> None:
    search = ValueGuidedSearch(alpha=0.7, shortlist=3, maximum_length_factor=1.5)
    again = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(search))
    assert type(again) is ValueGuidedSearch and again.get_config() == search.get_config()


@pytest.mark.parametrize("options", [{"alpha": 1.1}, {"alpha": -0.1}, {"shortlist": 0}])
def test_numbers_out_of_range_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="alpha lies between 0 and 1"):
        ValueGuidedSearch(**options)
