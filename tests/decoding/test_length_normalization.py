import keras
import numpy as np
import pytest
import tensorflow as tf

from tfnmt.decoding.beam_search import BeamSearch
from tfnmt.decoding.length_normalization import GNMTLengthNormalization, LengthNormalization


def test_divides_by_a_power_of_the_length():
    scores = LengthNormalization(0.5).score(tf.constant([-6.0, -6.0, -6.0]), tf.constant([0, 1, 4]))
    np.testing.assert_allclose(scores, [-6.0, -6.0, -3.0])
    np.testing.assert_allclose(LengthNormalization(0.0).score(tf.constant([-6.0]), tf.constant([7])), [-6.0])


def test_the_length_penalty_of_gnmt():
    """Worked by hand: ((5 + 1) / 6) ** 0.6 = 1, ((5 + 7) / 6) ** 0.6 = 2 ** 0.6, ((5 + 19) / 6) ** 0.6 = 4 ** 0.6."""
    scores = GNMTLengthNormalization(0.6).score(tf.constant([-6.0, -6.0, -6.0]), tf.constant([1, 7, 19]))
    np.testing.assert_allclose(scores, [-6.0, -6.0 / 1.5157166, -6.0 / 2.2973967], rtol=1e-6)


@pytest.mark.parametrize("rule", [LengthNormalization, GNMTLengthNormalization])
@pytest.mark.parametrize("exponent", [0.0, 0.3, 1.0, 2.5])
def test_no_longer_hypothesis_exceeds_the_bound(rule, exponent):
    normalization = rule(exponent)
    bound = float(normalization.bound(tf.constant(-2.0), tf.constant(9)))
    for length in range(1, 10):
        for loss in (0.0, 0.01, 3.0):
            assert float(normalization.score(tf.constant(-2.0 - loss), tf.constant(length))) <= bound


def test_survives_serialization():
    again = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(LengthNormalization(0.6)))
    assert isinstance(again, LengthNormalization) and again.exponent == 0.6


@pytest.mark.parametrize("rule", [LengthNormalization(0.5), GNMTLengthNormalization(0.6), 0.7])
def test_a_search_keeps_its_rule_when_saved(rule):
    search = BeamSearch(length_normalization=rule)
    again = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(search)).length_normalization
    assert type(again) is type(search.length_normalization)
    assert again.exponent == search.length_normalization.exponent


def test_a_search_saved_with_a_number_loads():
    assert (
        BeamSearch.from_config({**BeamSearch().get_config(), "length_normalization": 0.3}).length_normalization.exponent
        == 0.3
    )
