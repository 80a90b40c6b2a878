import keras
import numpy as np
import pytest
import tensorflow as tf

from tfnmt.decoding.steering import ForbiddenSymbols, ForcedPrefix, MinimumLength, Progress
from tfnmt.text.vocabulary import END

LOGITS = tf.constant(np.arange(15).reshape(3, 5), tf.float32)
PROGRESS = Progress(
    length=tf.constant(2),
    words=tf.constant([4, 4, 4]),
    sources=tf.constant([2, 5, 9]),
    sentences=tf.constant([3, 0, 1]),
)


def test_forbids_symbols_and_nothing_else():
    expected = LOGITS.numpy()
    expected[:, [0, 3]] = -np.inf
    np.testing.assert_array_equal(ForbiddenSymbols((0, 3)).steer(LOGITS, PROGRESS), expected)


def test_forbids_the_end_while_too_short():
    expected = LOGITS.numpy()
    expected[1:, END] = -np.inf  # ceil(0.5 * 5) = 3 and ceil(0.5 * 9) = 5 words are needed, there are 2
    np.testing.assert_array_equal(MinimumLength(0.5).steer(LOGITS, PROGRESS), expected)


def test_half_of_the_source_is_counted_with_the_end_symbol_as_the_authors_do():
    for words in range(8):
        needed = (words + 1) // 2  # floor(T_x / 2), T_x with the end symbol
        for length in range(6):
            progress = Progress(*(tf.constant(part) for part in (length, [4], [words], [0])))
            forbidden = np.isneginf(MinimumLength(0.5).steer(LOGITS[:1], progress)[0, END])
            assert forbidden == (length < needed)


def test_forces_the_words_of_a_prefix_while_there_are_some():
    prefixes = tf.constant([[3, 3, 4, 3], [3, 4, 0, 0], [0, 0, 0, 0], [4, 4, END, 0]])
    expected = np.full([3, 5], -np.inf, np.float32)
    expected[0, END], expected[1, 4], expected[2] = LOGITS[0, END], LOGITS[1, 4], LOGITS[2]  # sentences 3, 0 and 1
    np.testing.assert_array_equal(ForcedPrefix(prefixes).steer(LOGITS, PROGRESS), expected)
    beyond = PROGRESS._replace(length=tf.constant(4))
    np.testing.assert_array_equal(ForcedPrefix(prefixes).steer(LOGITS, beyond), LOGITS)


def test_refuses_a_negative_minimum():
    with pytest.raises(ValueError, match="0 or more, not -1"):
        MinimumLength(-1)


@pytest.mark.parametrize("steering", [ForbiddenSymbols((0, 1)), MinimumLength(0.5)])
def test_survives_serialization(steering):
    again = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(steering))
    assert type(again) is type(steering) and again.get_config() == steering.get_config()
