"""Rows of a request go to their own languages and come back in their order."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import tensorflow as tf

from tfnmt.export import multi_task_signatures as module
from tfnmt.export.signatures import Outputs, Signature


def way(mark: str) -> Signature:
    """A stand-in for a translator: repeats each sentence as often as it has letters, marked with the language."""

    def function(sentences: tf.Tensor) -> Outputs:
        lengths = tf.strings.length(sentences)
        widest = tf.reduce_max(tf.concat([[0], lengths], axis=0))
        words = tf.repeat((sentences + mark)[:, tf.newaxis], widest, axis=1)
        weights = tf.sequence_mask(lengths, widest, dtype=tf.float32)
        return {"words": words, "weights": weights, "score": tf.cast(lengths, tf.float32)}

    return Signature(("sentences",), {"words": "", "weights": "", "score": ""}, function)


@pytest.fixture(scope="module")
def answer() -> Callable[..., Outputs]:
    joined = module._by_language({language: way(language) for language in ("de", "fr", "cs")})
    assert joined.inputs == ("sentences", "to") and joined.languages == ("de", "fr", "cs")
    return tf.function(joined.function, input_signature=joined.specification)


def test_rows_come_back_in_their_order_padded_to_the_widest(answer: Callable[..., Outputs]) -> None:  # C41, C83
    found = answer(tf.constant(["a", "bbb", "cc", "d"]), tf.constant(["fr", "de", "fr", "de"]))
    assert found["words"].numpy().tolist() == [
        [b"afr", b"afr", b""], [b"bbbde"] * 3, [b"ccfr", b"ccfr", b""], [b"dde"] * 3,
    ]  # fmt: skip
    np.testing.assert_array_equal(found["weights"], [[1, 0, 0], [1, 1, 1], [1, 1, 0], [1, 0, 0]])
    np.testing.assert_array_equal(found["score"], [1, 3, 2, 1])


def test_any_number_of_rows(answer: Callable[..., Outputs]) -> None:  # C77
    assert answer(tf.constant([], tf.string), tf.constant([], tf.string))["score"].shape == [0]
    assert answer(tf.constant(["a"]), tf.constant(["cs"]))["words"].numpy().tolist() == [[b"acs"]]


def test_an_unknown_language_is_an_error_that_lists_the_known(answer: Callable[..., Outputs]) -> None:  # C41
    with pytest.raises(tf.errors.InvalidArgumentError, match="It knows de, fr, cs"):
        answer(tf.constant(["a"]), tf.constant(["it"]))
