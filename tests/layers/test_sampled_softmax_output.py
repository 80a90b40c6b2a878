"""The sampled loss against the full softmax, written out in NumPy (identities K1 to K3)."""

from __future__ import annotations

import keras
import numpy as np
import pytest
import tensorflow as tf

from tests import twins
from tfnmt.layers.sampled_softmax_output import SampledSoftmaxOutput
from tfnmt.layers.sampling import LogUniformSampling, PartitionSampling, Sample, Sampling, UnigramSampling
from tfnmt.layers.softmax_output import SoftmaxOutput
from tfnmt.layers.word_embedding import WordEmbedding
from tfnmt.training.optimizers import Adam

VOCABULARY, FEATURES = 24, 5
T = np.random.default_rng(1).normal(size=[6, FEATURES]).astype("float32")
LABELS = np.array([2, 5, 23, 9, 7, 7], "int32")


class GivenSample(Sampling):
    """The words and probabilities that a test says."""

    def __init__(self, ids: list[int], probabilities: list[float]) -> None:
        self.given = Sample(tf.constant(ids, tf.int32), tf.math.log(tf.constant(probabilities)))

    def build(self, vocabulary_size: int) -> None:
        pass

    def sample(self) -> Sample:
        return self.given


def output(sampling: Sampling, **options: object) -> SampledSoftmaxOutput:
    layer = SampledSoftmaxOutput(VOCABULARY, sampling, **options)
    layer.build((None, FEATURES))
    twins.randomize(layer)
    return layer


def exact(layer: SampledSoftmaxOutput, **options: object) -> SoftmaxOutput:
    full = SoftmaxOutput(VOCABULARY, **options)
    full.build((None, FEATURES))
    full.set_weights(layer.get_weights())
    return full


def loss_and_gradients(layer: SoftmaxOutput) -> list[np.ndarray]:
    features = tf.constant(T)
    with tf.GradientTape() as tape:
        tape.watch(features)
        losses = layer.loss(features, LABELS)
    gradients = tape.gradient(losses, [features, layer.kernel.value, layer.bias.value])
    return [losses.numpy(), *(tf.convert_to_tensor(gradient).numpy() for gradient in gradients)]


@pytest.mark.parametrize(
    "sampling", [PartitionSampling(5), LogUniformSampling(VOCABULARY), UnigramSampling(VOCABULARY + 9)]
)
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_with_every_word_it_is_the_softmax(sampling: Sampling, smoothing: float) -> None:  # K1, C37
    layer = output(sampling, label_smoothing=smoothing)
    for found, expected in zip(
        loss_and_gradients(layer), loss_and_gradients(exact(layer, label_smoothing=smoothing)), strict=True
    ):
        np.testing.assert_allclose(found, expected, atol=1e-5)


def test_a_constant_probability_is_the_softmax_over_the_words_alone() -> None:  # K2
    words = [2, 3, 5, 7, 9, 20, 23]
    layer = output(GivenSample(words, [0.3] * 7))
    part = output(PartitionSampling(7))
    part.set_weights(layer.get_weights())
    part.sampling.use(np.array(words))
    energies = T @ layer.kernel.numpy()[words].T + layer.bias.numpy()[words]
    places = [words.index(label) for label in LABELS]
    expected = np.log(np.exp(energies).sum(axis=1)) - energies[np.arange(6), places]
    np.testing.assert_allclose(part.loss(T, LABELS), expected, atol=1e-5)
    corrected = np.exp(energies) / np.where(np.isin(words, LABELS), 1.0, 0.3)  # the labels are there for certain
    expected = np.log(corrected.sum(axis=1)) - energies[np.arange(6), places]
    np.testing.assert_allclose(layer.loss(T, LABELS), expected, atol=1e-5)


def test_the_correction_makes_the_normaliser_right_on_average() -> None:
    layer = output(LogUniformSampling(8, seed=1))
    likelihoods = np.exp(-layer.negative_log_likelihood(T, LABELS).numpy())
    loss = tf.function(lambda: layer.loss(T, LABELS), autograph=False)
    mean = np.mean([np.exp(loss().numpy()) for _ in range(1500)], axis=0)  # of 1 / p, linear in the normaliser
    np.testing.assert_allclose(mean * likelihoods, np.ones(6), atol=0.06)


def test_only_rows_of_the_words_get_a_gradient_and_move() -> None:  # K3
    layer = output(PartitionSampling(8))
    words = np.array([2, 3, 5, 7, 9, 20, 23])
    layer.sampling.use(words)
    optimizer = Adam(0.1)
    optimizer.build([layer.kernel, layer.bias])
    for _ in range(2):
        before = layer.get_weights()
        with tf.GradientTape() as tape:
            losses = layer.loss(T, LABELS)
        gradients = tape.gradient(losses, [layer.kernel.value, layer.bias.value])
        assert all(isinstance(gradient, tf.IndexedSlices) for gradient in gradients)
        assert set(gradients[0].indices.numpy()) == set(words)
        optimizer.apply(gradients)
        for was, weight in zip(before, layer.get_weights(), strict=True):
            moved = np.abs(weight - was).reshape(VOCABULARY, -1).max(axis=1) > 0
            np.testing.assert_array_equal(np.flatnonzero(moved), words)
        words = np.array([2, 5, 7, 9, 11, 23])  # another part: the momentum of the first must not move its words
        layer.sampling.use(words)


def test_labels_outside_the_sample_are_in_the_loss() -> None:
    layer = output(GivenSample([0, 1], [0.5, 0.5]))
    assert np.all(layer.loss(T, LABELS).numpy() > 0)


def test_what_is_not_training_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:  # C33, C37
    monkeypatch.setattr("tfnmt.layers.token_blocks.LOGITS_AT_ONCE", 4 * VOCABULARY)  # six tokens in blocks of four
    layer = output(LogUniformSampling(3))
    full = exact(layer)
    np.testing.assert_allclose(layer(T), full(T), atol=1e-5)
    expected = full.negative_log_likelihood(T, LABELS)
    np.testing.assert_allclose(layer.negative_log_likelihood(T, LABELS), expected, atol=1e-5)
    assert layer.negative_log_likelihood(T[:0], LABELS[:0]).shape == (0,)
    assert layer.loss(T[:0], LABELS[:0]).shape == (0,)


def test_a_shared_table_gets_rows_from_both_sides() -> None:
    embedding, layer = WordEmbedding(VOCABULARY, FEATURES), SampledSoftmaxOutput(VOCABULARY, LogUniformSampling(3))
    layer.share(embedding)
    embedding.build()
    layer.build((None, FEATURES))
    with tf.GradientTape() as tape:
        losses = layer.loss(embedding(LABELS), LABELS)
    assert isinstance(tape.gradient(losses, embedding.table.value), tf.IndexedSlices)
    assert embedding.table.lazy_rows


def test_it_trains_in_any_keras_model() -> None:
    layer = SampledSoftmaxOutput(VOCABULARY, LogUniformSampling(6), name="output")
    inputs = keras.Input([FEATURES])
    model = keras.Model(inputs, layer(inputs))
    copy = keras.Model.from_config(model.get_config())
    assert copy.get_layer("output").sampling.get_config() == {"size": 6, "seed": 0}
    variables = [weight.value for weight in model.trainable_variables]
    optimizer = keras.optimizers.SGD(0.5)
    before = float(tf.reduce_mean(layer.negative_log_likelihood(T, LABELS)))
    for _ in range(20):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(layer.loss(T, LABELS))
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), model.trainable_variables, strict=True))
    assert float(tf.reduce_mean(layer.negative_log_likelihood(T, LABELS))) < before - 0.3
