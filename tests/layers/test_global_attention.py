import warnings

import keras
import numpy as np
import pytest
import tensorflow as tf

from tests import twins
from tfnmt.layers.additive_score import AdditiveScore
from tfnmt.layers.global_attention import GlobalAttention

BATCH, HYPOTHESES, SOURCE, QUERY, ANNOTATION = 3, 2, 5, 4, 6
LENGTHS = [5, 2, 1]
QUERIES = np.random.default_rng(1).normal(size=[BATCH, HYPOTHESES, QUERY]).astype("float32")
ANNOTATIONS = np.random.default_rng(2).normal(size=[BATCH, SOURCE, ANNOTATION]).astype("float32")
MASK = np.arange(SOURCE) < np.array(LENGTHS)[:, None]


@pytest.fixture
def attention() -> GlobalAttention:
    attention = GlobalAttention(AdditiveScore(7))
    attention.build(QUERIES.shape, ANNOTATIONS.shape)
    twins.randomize(attention)
    return attention


def test_equals_the_equations(attention: GlobalAttention) -> None:
    contexts, weights = attention(QUERIES, ANNOTATIONS, MASK)
    letters = twins.letters_of_score(attention.score)
    for row, length in enumerate(LENGTHS):
        for hypothesis in range(HYPOTHESES):
            context, expected = twins.attention(letters, QUERIES[row, hypothesis], ANNOTATIONS[row, :length])
            np.testing.assert_allclose(contexts[row, hypothesis], context, atol=1e-5)
            np.testing.assert_allclose(weights[row, hypothesis, :length], expected, atol=1e-6)


def test_padding_gets_exactly_nothing(attention: GlobalAttention) -> None:  # C24
    contexts, weights = attention(QUERIES, ANNOTATIONS, MASK)
    np.testing.assert_array_equal(weights.numpy()[~np.repeat(MASK[:, None], HYPOTHESES, axis=1)], 0.0)
    np.testing.assert_allclose(np.sum(weights, axis=-1), 1.0, atol=1e-6)
    other = np.where(MASK[..., None], ANNOTATIONS, 1e4).astype("float32")
    again, same_weights = attention(QUERIES, other, MASK)
    np.testing.assert_array_equal(weights, same_weights)
    np.testing.assert_array_equal(contexts, again)


def test_hypotheses_of_a_sentence_do_not_see_each_other(attention: GlobalAttention) -> None:
    contexts, weights = attention(QUERIES, ANNOTATIONS, MASK)
    for hypothesis in range(HYPOTHESES):
        alone = attention(QUERIES[:, hypothesis : hypothesis + 1], ANNOTATIONS, MASK)
        np.testing.assert_allclose(contexts[:, hypothesis], alone[0][:, 0], atol=1e-6)
        np.testing.assert_allclose(weights[:, hypothesis], alone[1][:, 0], atol=1e-6)


def test_starts_uniform(attention: GlobalAttention) -> None:  # K6
    attention.score.vector.assign(np.zeros([7, 1]))
    contexts, weights = attention(QUERIES, ANNOTATIONS, MASK)
    for row, length in enumerate(LENGTHS):
        np.testing.assert_allclose(weights[row, :, :length], np.full([HYPOTHESES, length], 1 / length), rtol=1e-6)
        np.testing.assert_allclose(contexts[row, 0], ANNOTATIONS[row, :length].mean(axis=0), atol=1e-6)


def test_without_a_mask_every_position_is_real(attention: GlobalAttention) -> None:
    everywhere = np.ones([BATCH, SOURCE], bool)
    np.testing.assert_array_equal(attention(QUERIES, ANNOTATIONS)[1], attention(QUERIES, ANNOTATIONS, everywhere)[1])


def test_a_sentence_without_a_word_gives_zeros_and_finite_gradients(attention: GlobalAttention) -> None:
    mask = np.zeros([BATCH, SOURCE], bool)
    with tf.GradientTape() as tape:
        contexts, weights = attention(QUERIES, ANNOTATIONS, mask)
        total = tf.reduce_sum(contexts)
    np.testing.assert_array_equal(contexts, np.zeros([BATCH, HYPOTHESES, ANNOTATION]))
    np.testing.assert_array_equal(weights, np.zeros([BATCH, HYPOTHESES, SOURCE]))
    for gradient in tape.gradient(total, attention.trainable_variables):
        assert np.all(np.isfinite(gradient))


def test_takes_the_mask_that_keras_attaches_to_the_annotations(attention: GlobalAttention) -> None:  # C27
    ids = np.where(MASK, 1 + np.arange(SOURCE), 0)
    embedding = keras.layers.Embedding(SOURCE + 1, ANNOTATION, mask_zero=True)
    annotations = embedding(ids)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _, weights = attention(QUERIES, annotations)
    np.testing.assert_array_equal(weights, attention(QUERIES, annotations.numpy(), MASK)[1])
    assert np.all(weights.numpy()[1, :, 2:] == 0)


def test_leaves_the_mask_of_the_queries_on_the_contexts(attention: GlobalAttention) -> None:  # C27
    queries = keras.layers.Masking()(np.concatenate([QUERIES, np.zeros_like(QUERIES)], axis=1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        contexts, _ = attention(queries, ANNOTATIONS, MASK)
    np.testing.assert_array_equal(
        contexts._keras_mask, np.repeat([[True] * HYPOTHESES + [False] * HYPOTHESES], BATCH, 0)
    )
