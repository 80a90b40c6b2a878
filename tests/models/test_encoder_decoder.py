from collections.abc import Sequence

import keras
import numpy as np
import pytest
import tensorflow as tf

from tests import twins
from tests.models.finite_differences import assert_every_gradient_equals_finite_differences
from tests.models.networks import (
    KINDS,
    PAIRS,
    SOURCE_IDS,
    TARGET_IDS,
    TARGET_VOCABULARY,
    encoding,
    padded,
    searching,
)
from tests.models.pair_costs import assert_costs_in_batches_and_alone, compiled
from tfnmt.layers.additive_score import AdditiveScore
from tfnmt.layers.global_attention import GlobalAttention
from tfnmt.layers.maxout_readout import MaxoutReadout
from tfnmt.models.bahdanau_decoder import BahdanauDecoder
from tfnmt.models.encoder_decoder import EncoderDecoder
from tfnmt.models.sequences import prepend_start

ALL_KINDS = pytest.mark.parametrize("kind", KINDS)
REAL = np.arange(TARGET_IDS.shape[1] + 1) <= np.array([[len(target)] for _, target in PAIRS])
LABELS = [word for _, target in PAIRS for word in [*target, twins.END]]


NETWORKS = {kind: build() for kind, build in KINDS.items()}
COSTS = {kind: compiled(network) for kind, network in NETWORKS.items()}


def expected_rows(network: EncoderDecoder) -> list[np.ndarray]:
    letters, order = twins.letters_of_network(network), network.decoder.step_order
    return [twins.translate_by_force(letters, order, *pair)[0] for pair in PAIRS]


@ALL_KINDS
def test_equals_the_equations(kind: str) -> None:
    network = NETWORKS[kind]
    found = tf.nn.log_softmax(network((SOURCE_IDS, TARGET_IDS)))
    for row, expected in enumerate(expected_rows(network)):
        np.testing.assert_allclose(found[row, : len(expected)], expected, atol=2e-5)


@ALL_KINDS
def test_costs_of_real_words_and_of_the_end(kind: str) -> None:
    network = NETWORKS[kind]
    costs, mask, weights = COSTS[kind](SOURCE_IDS, TARGET_IDS)
    np.testing.assert_array_equal(mask, REAL)
    np.testing.assert_array_equal(costs.numpy()[~REAL], 0)
    expected = -np.concatenate(expected_rows(network))[np.arange(len(LABELS)), LABELS]
    np.testing.assert_allclose(costs.numpy()[REAL], expected, atol=2e-5)
    np.testing.assert_allclose(network.token_losses(SOURCE_IDS, TARGET_IDS, training=False), expected, atol=2e-5)
    for row, pair in enumerate(PAIRS):
        _, aligned = twins.translate_by_force(twins.letters_of_network(network), network.decoder.step_order, *pair)
        np.testing.assert_allclose(weights[row, : len(pair[1]) + 1, : len(pair[0]) + 1], aligned, atol=1e-5)


@ALL_KINDS
def test_a_batch_is_its_sentences_one_by_one(kind: str) -> None:  # C24, C27, C86
    network = NETWORKS[kind]
    letters, order = twins.letters_of_network(network), network.decoder.step_order
    assert_costs_in_batches_and_alone(COSTS[kind], lambda *pair: twins.translate_by_force(letters, order, *pair)[0])


@pytest.mark.parametrize("step_order", ["groundhog", "main-text"])
def test_attention_that_sees_the_last_state_only_is_rnnencdec(step_order: str) -> None:  # K8
    baseline = encoding(step_order)
    attention = GlobalAttention(AdditiveScore(7))
    search = EncoderDecoder(
        baseline.encoder,
        BahdanauDecoder(TARGET_VOCABULARY, 3, 6, attention, MaxoutReadout(4), step_order=step_order),
        baseline.output_layer,
    )
    search.build()
    twins.randomize(attention)
    for part in ("embedding", "unit", "readout"):
        getattr(search.decoder, part).set_weights(getattr(baseline.decoder, part).get_weights())
    for kernel in ("context_kernel", "initial_kernel", "initial_bias"):
        getattr(search.decoder, kernel).assign(getattr(baseline.decoder, kernel))
    memory, inputs = search.encode(SOURCE_IDS), prepend_start(TARGET_IDS)
    last = tf.one_hot(memory.words, tf.shape(memory.mask)[1], on_value=True, off_value=False)
    found, weights = search.decoder(inputs, memory._replace(mask=last))
    expected, ones = baseline.decoder(inputs, memory)
    np.testing.assert_allclose(found, expected, atol=1e-6)
    np.testing.assert_array_equal(weights, ones)


@ALL_KINDS
def test_every_gradient_equals_finite_differences(kind: str) -> None:  # K18
    network = NETWORKS[kind]

    def log_probabilities(letters: twins.Letters, *pair: Sequence[int]) -> np.ndarray:
        return twins.translate_by_force(letters, network.decoder.step_order, *pair)[0]

    assert_every_gradient_equals_finite_differences(network, twins.letters_of_network, log_probabilities, PAIRS[:2])


@ALL_KINDS
def test_forced_decoding_of_a_greedy_translation_costs_what_its_steps_did(kind: str) -> None:  # K17
    network = NETWORKS[kind]
    memory = network.encode(SOURCE_IDS)
    state, ids = network.decoder.initial_state(memory), tf.fill([len(PAIRS)], twins.START)
    words, costs = [], []
    for _ in range(5):
        features, state, _ = network.decoder.step(ids, state, memory)
        ids = 3 + tf.argmax(network.output_layer.logits(features)[:, 3:], axis=-1, output_type=tf.int32)
        words.append(ids)
        costs.append(network.output_layer.negative_log_likelihood(features, ids))
    forced, _, _ = COSTS[kind](SOURCE_IDS, tf.stack(words, axis=1))
    np.testing.assert_allclose(forced[:, :5], tf.stack(costs, axis=1), atol=1e-5)


def test_inference_is_without_dropout_and_training_with_it() -> None:  # C36
    network, whole = searching(dropout=0.5), searching()
    whole.set_weights(network.get_weights())
    inputs = (SOURCE_IDS, TARGET_IDS)
    exact = whole.token_losses(*inputs, training=True)
    np.testing.assert_array_equal(network(inputs), whole(inputs))
    costs, mask, _ = network.token_negative_log_likelihoods(*inputs)
    np.testing.assert_array_equal(costs.numpy()[mask], exact)
    np.testing.assert_array_equal(network.token_losses(*inputs, training=False), exact)
    one, other = network.token_losses(*inputs, training=True), network.token_losses(*inputs, training=True)
    assert np.max(np.abs(one - exact)) > 0.01
    assert np.max(np.abs(one - other)) > 0.01


@pytest.mark.parametrize("label_smoothing", [0.0, 0.1])
def test_perplexity_of_constant_logits_is_the_vocabulary(label_smoothing: float) -> None:  # C33
    network = searching(label_smoothing=label_smoothing)
    for weight in network.output_layer.weights:
        weight.assign(tf.zeros_like(weight))
    pairs = [([4], [5]), ([4, 5, 6, 7, 8, 9, 10, 11, 4], [4, 5, 6, 7, 8, 9, 10, 4, 5])] * 4
    costs = compiled(network)
    for batch in (1, 2, 8):
        total, words = 0.0, 0
        for first in range(0, len(pairs), batch):
            sources, targets = zip(*pairs[first : first + batch], strict=True)
            found, mask, _ = costs(padded(list(sources)), padded(list(targets)))
            total, words = total + float(tf.reduce_sum(found)), words + int(np.sum(mask))
        assert words == 4 * (2 + 10)
        assert np.exp(total / words) == pytest.approx(TARGET_VOCABULARY, rel=1e-6)


def test_smoothing_is_in_the_training_loss() -> None:
    smooth, sharp = searching(label_smoothing=0.1), searching()
    inputs = (SOURCE_IDS, TARGET_IDS)
    assert np.max(np.abs(smooth.token_losses(*inputs) - sharp.token_losses(*inputs))) > 0.01
    np.testing.assert_array_equal(
        smooth.token_negative_log_likelihoods(*inputs)[0], sharp.token_negative_log_likelihoods(*inputs)[0]
    )


@ALL_KINDS
def test_blank_sentences_and_empty_batches_cost_something_finite(kind: str) -> None:  # C31
    blank = np.zeros([2, 0], "int32")
    costs, mask, weights = COSTS[kind](blank, blank)
    assert costs.shape == mask.shape == (2, 1)
    assert np.all(np.isfinite(costs))
    np.testing.assert_allclose(costs, COSTS[kind](np.zeros([2, 4], "int32"), blank)[0])
    np.testing.assert_array_equal(weights, np.ones([2, 1, 1]))
    assert COSTS[kind](blank[:0], blank[:0])[0].shape == (0, 1)
    assert NETWORKS[kind].token_losses(blank[:0], blank[:0]).shape == (0,)


def test_variants_are_different_models() -> None:
    costs = [costs(SOURCE_IDS, TARGET_IDS)[0] for costs in COSTS.values()]
    for place, cost in enumerate(costs):
        assert all(np.max(np.abs(cost - other)) > 0.01 for other in costs[:place])


def test_shared_target_embedding_is_one_matrix() -> None:
    network, apart = searching(share_target_embedding=True), searching()
    assert network.output_layer.rows is network.decoder.embedding.table
    assert network.count_params() == apart.count_params() - TARGET_VOCABULARY * 3
    assert len({id(weight) for weight in network.trainable_variables}) == len(network.trainable_variables)
    found = tf.nn.log_softmax(network((SOURCE_IDS, TARGET_IDS)))
    for row, expected in enumerate(expected_rows(network)):
        np.testing.assert_allclose(found[row, : len(expected)], expected, atol=2e-5)


def test_word_vectors_can_be_kept_from_training() -> None:
    network = searching()
    free = {weight.path for weight in network.trainable_weights}
    network.fix_word_vectors()
    fixed = free - {weight.path for weight in network.trainable_weights}
    assert sorted(path.split("/")[-1] for path in fixed) == ["bias", "kernel", "table", "table"]
    assert {id(variable) for variable in network.word_vectors} == {
        id(weight) for weight in network.weights if weight.path in fixed
    }
    network.fix_word_vectors(False)
    assert {weight.path for weight in network.trainable_weights} == free


def test_matrices_start_independent_even_with_one_seed() -> None:
    network = searching()
    one_seed = keras.initializers.serialize(keras.initializers.RandomNormal(stddev=0.01, seed=1))
    config = network.get_config()
    for part in ("encoder", "decoder"):
        config[part]["config"]["kernel_initializer"] = one_seed
        config[part].pop("build_config", None)
    seeded = EncoderDecoder.from_config(config)
    seeded.build()
    p = twins.letters_of_network(seeded)
    encoder, decoder = p["encoder"], p["decoder"]
    matrices = [encoder["embedding"]["E"].T]
    for unit in (encoder["forward"], encoder["backward"]):
        matrices += [unit[name] for name in ("W_z", "W_r", "W")]
    starts = [np.ravel(matrix.T)[:8] for matrix in matrices]
    for place, start in enumerate(starts):
        assert not any(np.allclose(start, other) for other in starts[:place])
    matrices = [decoder["embedding"]["E"].T, decoder["W_s"]]
    matrices += [decoder["unit"][name] for name in ("W_z", "W_r", "W", "C_z")]
    starts = [np.ravel(matrix.T)[:6] for matrix in matrices]
    for place, start in enumerate(starts):
        assert not any(np.allclose(start, other) for other in starts[:place])
