import keras
import numpy as np
import pytest
import tensorflow as tf

from tfnmt.decoding.length_normalization import LengthNormalization


def test_divides_by_a_power_of_the_length():
    scores = LengthNormalization(0.5).score(tf.constant([-6.0, -6.0, -6.0]), tf.constant([0, 1, 4]))
    np.testing.assert_allclose(scores, [-6.0, -6.0, -3.0])
    np.testing.assert_allclose(LengthNormalization(0.0).score(tf.constant([-6.0]), tf.constant([7])), [-6.0])


@pytest.mark.parametrize("exponent", [0.0, 0.3, 1.0, 2.5])
def test_no_longer_hypothesis_exceeds_the_bound(exponent):
    normalization = LengthNormalization(exponent)
    bound = float(normalization.bound(tf.constant(-2.0), tf.constant(9)))
    for length in range(1, 10):
        for loss in (0.0, 0.01, 3.0):
            assert float(normalization.score(tf.constant(-2.0 - loss), tf.constant(length))) <= bound


def test_survives_serialization():
    again = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(LengthNormalization(0.6)))
    assert isinstance(again, LengthNormalization) and again.exponent == 0.6
