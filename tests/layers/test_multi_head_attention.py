import keras
import numpy as np
import pytest
import tensorflow as tf

from tests import transformer_twins, twins
from tests.layers.compared import ANNOTATIONS, LENGTHS, MASK, QUERIES, built
from tfnmt.layers.multi_head_attention import MultiHeadAttention
from tfnmt.layers.products import KeptProducts

HEADS, SIZE = 2, 3


@pytest.fixture(scope="module")
def attention() -> MultiHeadAttention:
    return built(MultiHeadAttention(HEADS, SIZE))


def test_equals_the_equations(attention: MultiHeadAttention) -> None:
    contexts, weights = attention(QUERIES, ANNOTATIONS, MASK)
    by_head = attention.look(QUERIES, attention.keys(ANNOTATIONS), MASK[:, None])
    letters = transformer_twins.letters_of_attention(attention)
    for row, length in enumerate(LENGTHS):
        allowed = np.ones([QUERIES.shape[1], length], bool)
        expected, heads = transformer_twins.attention(letters, QUERIES[row], ANNOTATIONS[row, :length], allowed)
        np.testing.assert_allclose(contexts[row], expected, atol=1e-5)
        np.testing.assert_allclose(by_head[0][row], expected, atol=1e-5)
        np.testing.assert_allclose(by_head[1][row, :, :, :length], heads, atol=1e-6)
        np.testing.assert_allclose(weights[row, :, :length], heads.mean(axis=0), atol=1e-6)
        np.testing.assert_array_equal(weights[row, :, length:], 0)  # C24


def test_is_the_attention_of_keras(attention: MultiHeadAttention) -> None:
    """Numbers of another implementation."""
    width = QUERIES.shape[-1]
    peer = keras.layers.MultiHeadAttention(HEADS, SIZE, use_bias=False)
    peer.build(QUERIES.shape, ANNOTATIONS.shape)
    peer.set_weights(
        [
            attention.query_kernel.numpy().reshape([width, HEADS, SIZE]),
            attention.key_kernel.numpy().reshape([width, HEADS, SIZE]),
            attention.value_kernel.numpy().reshape([width, HEADS, SIZE]),
            attention.output_kernel.numpy().reshape([HEADS, SIZE, width]),
        ]
    )
    expected, weights = peer(QUERIES, ANNOTATIONS, attention_mask=MASK[:, None], return_attention_scores=True)
    contexts, found = attention.look(QUERIES, attention.keys(ANNOTATIONS), MASK[:, None])
    np.testing.assert_allclose(contexts, expected, atol=1e-5)
    np.testing.assert_allclose(found, weights, atol=1e-6)


def test_padding_gets_exactly_nothing(attention: MultiHeadAttention) -> None:  # C24
    contexts, weights = attention(QUERIES, ANNOTATIONS, MASK)
    again, same = attention(QUERIES, np.where(MASK[..., None], ANNOTATIONS, 1e4).astype("float32"), MASK)
    np.testing.assert_array_equal(weights, same)
    np.testing.assert_array_equal(contexts, again)
    np.testing.assert_allclose(np.sum(weights, axis=-1), 1.0, atol=1e-6)


def test_one_head_of_unit_matrices_is_scaled_dot_product() -> None:
    width = QUERIES.shape[-1]
    attention = MultiHeadAttention(1, width)
    attention.build(QUERIES.shape, ANNOTATIONS.shape)
    attention.set_weights([np.eye(width)] * 4)
    _, weights = attention(QUERIES, ANNOTATIONS)
    expected = tf.nn.softmax(QUERIES @ ANNOTATIONS.transpose(0, 2, 1) / np.sqrt(width))
    np.testing.assert_allclose(weights, expected, atol=1e-6)


def test_a_sentence_without_a_word_gives_zeros_and_finite_gradients(attention: MultiHeadAttention) -> None:
    with tf.GradientTape() as tape:
        contexts, weights = attention(QUERIES, ANNOTATIONS, np.zeros_like(MASK))
        total = tf.reduce_sum(contexts)
    np.testing.assert_array_equal(contexts, np.zeros_like(contexts))
    np.testing.assert_array_equal(weights, np.zeros_like(weights))
    for gradient in tape.gradient(total, attention.trainable_variables):
        assert np.all(np.isfinite(gradient))


def test_matrices_start_independent_even_with_one_seed() -> None:
    attention = MultiHeadAttention(1, 4, keras.initializers.GlorotUniform(seed=1))
    attention.build(QUERIES.shape, ANNOTATIONS.shape)
    starts = [weight.numpy() for weight in attention.weights]
    for place, start in enumerate(starts):
        assert not any(np.allclose(start, other) for other in starts[:place])
    assert twins.read_value(attention.query_kernel).shape == (4, 4)


@pytest.mark.parametrize("dtype", ["float32", "mixed_bfloat16"])
def test_a_recurrent_decoder_sums_gradients_of_keys_in_float32(dtype: str) -> None:  # C29
    attention = MultiHeadAttention(2, 3, dtype=dtype)
    products = KeptProducts()
    attention.build((None, None, 4), (None, None, 5))
    annotations, mask = tf.random.normal([2, 3, 5]), tf.ones([2, 3], tf.bool)
    attention.in_loop(products, annotations, mask, attention.keys(annotations))
    assert {constant.tensor.dtype for constant in products.constants} == {tf.float32}
