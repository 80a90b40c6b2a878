import keras
import pytest
import tensorflow as tf

from tfnmt.decoding.maximum_length import MaximumLength


def test_grows_with_the_source():
    words = MaximumLength(1.5, 2).words(tf.constant([0, 1, 2, 3, 5000]))
    assert words.numpy().tolist() == [2, 4, 5, 7, 7502]


@pytest.mark.parametrize(("factor", "constant"), [(-1.0, 5), (1.0, -1), (0.0, 0), (float("inf"), 1), (float("nan"), 1)])
def test_refuses_what_is_no_limit(factor, constant):
    with pytest.raises(ValueError, match="The maximum length needs"):
        MaximumLength(factor, constant)


def test_survives_serialization():
    again = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(MaximumLength(1.5, 3)))
    assert isinstance(again, MaximumLength) and again.get_config() == {"factor": 1.5, "constant": 3}
