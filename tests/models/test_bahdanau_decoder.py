from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tests import twins
from tests.models.networks import KINDS, PAIRS, SOURCE_IDS, TARGET_IDS, UNITS, encoding, searching
from tfnmt.layers.fixed_context import FixedContext
from tfnmt.layers.maxout_readout import MaxoutReadout
from tfnmt.models.bahdanau_decoder import BahdanauDecoder
from tfnmt.models.encoder_decoder import EncoderDecoder
from tfnmt.models.sequences import prepend_start

ALL_KINDS = pytest.mark.parametrize("kind", KINDS)


def decode(network: EncoderDecoder, target_ids: np.ndarray = TARGET_IDS, **options: Any) -> tuple[Any, Any]:
    return network.decoder(prepend_start(target_ids), network.encode(SOURCE_IDS), **options)


@ALL_KINDS
def test_equals_the_equations(kind: str) -> None:
    network = KINDS[kind]()
    features, weights = decode(network)
    letters = twins.letters_of_network(network)
    for row, (source, target) in enumerate(PAIRS):
        encoded = twins.encode(letters["encoder"], [*source, twins.END])
        steps = twins.decode(letters["decoder"], network.decoder.step_order, encoded, target)
        for time, step in enumerate(steps):
            np.testing.assert_allclose(features[row, time], step.features, atol=1e-5)
            np.testing.assert_allclose(weights[row, time, : len(source) + 1], step.weights, atol=1e-5)
            np.testing.assert_array_equal(weights[row, time, len(source) + 1 :], 0)  # C24


@ALL_KINDS
def test_starts_from_the_summary(kind: str) -> None:
    network = KINDS[kind]()
    memory = network.encode(SOURCE_IDS)
    letters = twins.letters_of_decoder(network.decoder)
    state = network.decoder.initial_state(memory)
    for row in range(len(PAIRS)):
        expected = twins.initial_state(letters, memory.summary[row].numpy().astype("float64"))
        np.testing.assert_allclose(state.hidden[row], expected, atol=1e-5)


@pytest.mark.parametrize("build", [searching, encoding])
def test_the_step_orders_are_different_models(build: Any) -> None:
    one, other = build("groundhog"), build("main-text")
    other.set_weights(one.get_weights())
    assert np.max(np.abs(decode(one)[0] - decode(other)[0])) > 0.05


@ALL_KINDS
def test_the_start_symbol_has_no_vector(kind: str) -> None:
    network = KINDS[kind]()
    before, _ = decode(network)
    table = network.decoder.embedding.table.numpy()
    table[twins.START] += 10
    network.decoder.embedding.table.assign(table)
    np.testing.assert_array_equal(decode(network)[0], before)


def test_only_the_groundhog_order_looks_after_reading_the_previous_word() -> None:
    """Weights of the second word depend on the first one in the authors' code, not in the paper's main text."""
    other = np.where(np.arange(TARGET_IDS.shape[1]) == 0, 4 + TARGET_IDS % 7, TARGET_IDS).astype("int32")
    for step_order, depends in (("groundhog", True), ("main-text", False)):
        network = searching(step_order)
        (_, weights), (_, changed) = decode(network), decode(network, other)
        np.testing.assert_array_equal(weights[:, 0], changed[:, 0])
        assert (np.max(np.abs(weights[0, 1] - changed[0, 1])) > 1e-3) == depends
        assert np.max(np.abs(weights[0, 2] - changed[0, 2])) > 1e-4


@ALL_KINDS
def test_looks_at_nothing_that_comes_later(kind: str) -> None:
    network = KINDS[kind]()
    later = np.where(np.arange(TARGET_IDS.shape[1]) < 2, TARGET_IDS, 10).astype("int32")
    features, changed = decode(network)[0], decode(network, later)[0]
    np.testing.assert_array_equal(features[:, :3], changed[:, :3])
    assert np.max(np.abs(features[:, 3] - changed[:, 3])) > 0.01


def test_drops_in_training_only() -> None:  # C36
    network, whole = searching(dropout=0.5), searching()
    whole.set_weights(network.get_weights())
    memory = network.encode(SOURCE_IDS)
    inputs = prepend_start(TARGET_IDS)
    exact, _ = network.decoder(inputs, memory)
    np.testing.assert_array_equal(exact, whole.decoder(inputs, memory)[0])
    assert np.mean(network.decoder(inputs, memory, training=True)[0] == 0) > 0.2
    state = network.decoder.initial_state(memory)
    np.testing.assert_array_equal(network.decoder.step(inputs[:, 0], state, memory)[0], exact[:, 0])


def test_aligns_the_word_that_it_predicts() -> None:
    decoder = searching().decoder
    assert decoder.alignment_shift == 0
    assert decoder.max_target_length is None


def test_an_unknown_step_order_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"one of \['groundhog', 'main-text'\], not 'appendix'"):
        BahdanauDecoder(10, 3, UNITS, FixedContext(), MaxoutReadout(4), step_order="appendix")


def test_knows_its_sizes() -> None:
    network = searching()
    assert network.decoder.features_size == 3
    assert network.decoder.vocabulary_size == 11
    memory = network.encode(SOURCE_IDS)
    assert network.decoder.initial_state(memory).position.dtype == tf.int32
