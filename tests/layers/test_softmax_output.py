import keras
import numpy as np
import pytest
import tensorflow as tf

from tests import twins
from tfnmt.layers.softmax_output import SoftmaxOutput
from tfnmt.layers.word_embedding import WordEmbedding

VOCABULARY, FEATURES = 24, 5
T = np.random.default_rng(1).normal(size=[6, FEATURES]).astype("float32")
LABELS = np.array([2, 5, 23, 0, 7, 7], "int32")


def output(**options: object) -> SoftmaxOutput:
    layer = SoftmaxOutput(VOCABULARY, **options)
    layer.build((None, FEATURES))
    twins.randomize(layer)
    return layer


def log_probabilities(layer: SoftmaxOutput) -> np.ndarray:
    return np.array([twins.log_probabilities(twins.letters_of_output(layer), t) for t in T])


def test_logits_are_a_product_and_a_bias() -> None:
    layer = output()
    letters = twins.letters_of_output(layer)
    expected = T @ letters["W_o"].T + letters["b_y"]
    np.testing.assert_allclose(layer.logits(T), expected, atol=1e-5)
    np.testing.assert_allclose(layer(T.reshape(2, 3, FEATURES)), expected.reshape(2, 3, VOCABULARY), atol=1e-5)


def test_without_a_bias_only_the_product() -> None:
    layer = output(bias=False)
    assert [weight.name for weight in layer.weights] == ["kernel"]
    np.testing.assert_allclose(layer(T), T @ layer.kernel.numpy().T, atol=1e-5)


def test_loss_is_the_negative_log_likelihood() -> None:
    layer = output()
    expected = -log_probabilities(layer)[np.arange(6), LABELS]
    np.testing.assert_allclose(layer.negative_log_likelihood(T, LABELS), expected, atol=1e-5)
    np.testing.assert_allclose(layer.loss(T, LABELS), expected, atol=1e-5)


def test_smoothed_loss_is_the_cross_entropy_with_a_smoothed_distribution() -> None:
    layer = output(label_smoothing=0.1)
    smoothed = np.full([6, VOCABULARY], 0.1 / (VOCABULARY - 1))
    smoothed[np.arange(6), LABELS] = 0.9
    expected = -np.sum(smoothed * log_probabilities(layer), axis=-1)
    np.testing.assert_allclose(layer.loss(T, LABELS), expected, atol=1e-5)


@pytest.mark.parametrize("label_smoothing", [0.0, 0.1])
def test_likelihood_is_never_smoothed(label_smoothing: float) -> None:  # C33
    layer = output(label_smoothing=label_smoothing)
    expected = -log_probabilities(layer)[np.arange(6), LABELS]
    np.testing.assert_allclose(layer.negative_log_likelihood(T, LABELS), expected, atol=1e-5)
    for weight in layer.weights:
        weight.assign(tf.zeros_like(weight))
    np.testing.assert_array_equal(
        layer.negative_log_likelihood(T, LABELS), np.full(6, np.log(np.float32(VOCABULARY)), "float32")
    )


def test_no_label_gives_no_loss() -> None:  # C31
    layer = output(label_smoothing=0.1)
    assert layer.loss(T[:0], LABELS[:0]).shape == (0,)
    assert layer.negative_log_likelihood(T[:0], LABELS[:0]).shape == (0,)


def test_starts_as_in_the_paper() -> None:
    layer = SoftmaxOutput(300)
    layer.build((None, 100))
    assert np.std(layer.kernel) == pytest.approx(0.01, rel=0.05)
    np.testing.assert_array_equal(layer.bias, np.zeros(300))


def shared() -> tuple[SoftmaxOutput, WordEmbedding]:
    embedding = WordEmbedding(VOCABULARY, FEATURES)
    layer = SoftmaxOutput(VOCABULARY)
    layer.share(embedding)
    embedding.build()
    layer.build((None, FEATURES))
    return layer, embedding


def test_sharing_uses_the_embeddings_own_table() -> None:
    layer, embedding = shared()
    assert layer.rows is embedding.table
    twins.randomize(embedding)
    np.testing.assert_allclose(layer(T), T @ embedding.table.numpy().T, atol=1e-5)


def test_sharing_sends_both_gradients_to_one_table() -> None:
    layer, embedding = shared()
    twins.randomize(embedding)
    ids = np.array([4, 4, 5, 6, 7, 8], "int32")
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(layer.loss(embedding(ids), LABELS))
    gradient = tf.convert_to_tensor(tape.gradient(loss, embedding.table.value)).numpy()
    step = 1e-3 * np.random.default_rng(2).normal(size=gradient.shape)
    start, costs = embedding.table.numpy(), []
    for sign in (-1, 1):
        embedding.table.assign(start + sign * step)
        costs.append(float(tf.reduce_sum(layer.loss(embedding(ids), LABELS))))
    assert costs[1] - costs[0] == pytest.approx(2 * np.sum(gradient * step), rel=1e-2)


def test_sharing_refuses_another_number_of_words() -> None:
    with pytest.raises(ValueError, match=f"{VOCABULARY} words, the embedding to share 10"):
        SoftmaxOutput(VOCABULARY).share(WordEmbedding(10, FEATURES))


def test_sharing_refuses_features_of_another_size() -> None:
    layer = SoftmaxOutput(VOCABULARY)
    layer.share(WordEmbedding(VOCABULARY, 8))
    with pytest.raises(ValueError, match="embedding's size 8, not 5"):
        layer.build((None, FEATURES))


def test_logits_are_float32_in_half_precision() -> None:
    layer = SoftmaxOutput(VOCABULARY, dtype="mixed_bfloat16")
    assert keras.backend.standardize_dtype(layer(T).dtype) == "float32"
