import numpy as np

from tfnmt.models.sequences import append_end, count_words, prepend_start, with_room

IDS = np.array([[5, 3, 7], [4, 0, 0], [0, 0, 0]], "int32")


def test_end_goes_right_after_the_last_word() -> None:  # C86
    np.testing.assert_array_equal(append_end(IDS), [[5, 3, 7, 2], [4, 2, 0, 0], [2, 0, 0, 0]])


def test_start_goes_before_the_first_word() -> None:
    np.testing.assert_array_equal(prepend_start(IDS), [[1, 5, 3, 7], [1, 4, 0, 0], [1, 0, 0, 0]])


def test_counts_words_and_not_padding() -> None:
    np.testing.assert_array_equal(count_words(IDS), [3, 1, 0])


def test_rows_may_have_no_room_for_a_word() -> None:
    nothing = np.zeros([2, 0], "int32")
    np.testing.assert_array_equal(append_end(nothing), [[2], [2]])
    np.testing.assert_array_equal(prepend_start(nothing), [[1], [1]])
    np.testing.assert_array_equal(count_words(nothing), [0, 0])
    np.testing.assert_array_equal(with_room(nothing), [[0], [0]])
    np.testing.assert_array_equal(with_room(IDS), IDS)
