import itertools
from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
import pytest
import tensorflow as tf

from tests import luong_twins, twins
from tests.models.finite_differences import assert_every_gradient_equals_finite_differences
from tests.models.luong_networks import KINDS, UNITS, predictive, stacked
from tests.models.networks import PAIRS, SOURCE_IDS, TARGET_IDS, TARGET_VOCABULARY
from tests.models.pair_costs import assert_costs_in_batches_and_alone, compiled
from tfnmt.decoding.beam_search import BeamSearch
from tfnmt.layers.additive_score import AdditiveScore
from tfnmt.layers.dot_score import DotScore
from tfnmt.layers.global_attention import GlobalAttention
from tfnmt.layers.local_attention import LocalAttention
from tfnmt.layers.location_score import LocationScore
from tfnmt.layers.window import MonotonicWindow
from tfnmt.models.encoder_decoder import EncoderDecoder
from tfnmt.models.gated_encoder import UnidirectionalEncoder
from tfnmt.models.luong_decoder import LuongDecoder
from tfnmt.models.sequences import prepend_start

ALL_KINDS = pytest.mark.parametrize("kind", KINDS)
NETWORKS = {kind: build() for kind, build in KINDS.items()}
COSTS = {kind: compiled(network) for kind, network in NETWORKS.items()}
INPUTS = prepend_start(TARGET_IDS)


def assert_equals_the_twin(network: EncoderDecoder, training: bool = False, **options: Any) -> None:
    memory = network.encode(SOURCE_IDS)
    features, weights = network.decoder(INPUTS, memory, training=training)
    letters, form = luong_twins.letters_of_network(network), luong_twins.form_of(network)
    for row, (source, target) in enumerate(PAIRS):
        encoded = luong_twins.encode(letters["encoder"], form, source)
        length = len(encoded.annotations)
        for time, step in enumerate(luong_twins.decode(letters["decoder"], form, encoded, target, **options)):
            np.testing.assert_allclose(features[row, time], step.features, atol=1e-5)
            np.testing.assert_allclose(weights[row, time, :length], step.weights, atol=1e-5)
            np.testing.assert_array_equal(weights[row, time, length:], 0)  # C24


@ALL_KINDS
def test_equals_the_equations(kind: str) -> None:
    assert_equals_the_twin(NETWORKS[kind])


@ALL_KINDS
def test_costs_are_those_of_the_equations_in_a_batch_and_one_by_one(kind: str) -> None:  # C24, C27, C86
    network = NETWORKS[kind]
    letters, form = luong_twins.letters_of_network(network), luong_twins.form_of(network)
    alignments = assert_costs_in_batches_and_alone(
        COSTS[kind], lambda *pair: luong_twins.translate_by_force(letters, form, *pair)[0]
    )
    for pair, found in zip(PAIRS, alignments, strict=True):
        _, weights = luong_twins.translate_by_force(letters, form, *pair)
        np.testing.assert_allclose(found[:, : weights.shape[1]], weights, atol=1e-5)


@ALL_KINDS
def test_every_gradient_equals_finite_differences(kind: str) -> None:  # K10, K18
    network = NETWORKS[kind]

    def log_probabilities(letters: twins.Letters, *pair: Sequence[int]) -> np.ndarray:
        return luong_twins.translate_by_force(letters, luong_twins.form_of(network), *pair)[0]

    slopes = assert_every_gradient_equals_finite_differences(
        network, luong_twins.letters_of_network, log_probabilities, PAIRS[:2]
    )
    assert all(np.max(np.abs(slope)) > 1e-5 for slope in slopes)


@ALL_KINDS
def test_forced_decoding_of_a_greedy_translation_costs_what_its_steps_did(kind: str) -> None:  # K17
    network = NETWORKS[kind]
    memory = network.encode(SOURCE_IDS)
    state, ids = network.decoder.initial_state(memory), tf.fill([len(PAIRS)], twins.START)
    words, costs, looked = [], [], []
    for _ in range(4):
        features, state, weights = network.decoder.step(ids, state, memory)
        ids = 3 + tf.argmax(network.output_layer.logits(features)[:, 3:], axis=-1, output_type=tf.int32)
        words.append(ids)
        costs.append(network.output_layer.negative_log_likelihood(features, ids))
        looked.append(weights)
    forced, _, aligned = COSTS[kind](SOURCE_IDS, tf.stack(words, axis=1))
    np.testing.assert_allclose(forced[:, :4], tf.stack(costs, axis=1), atol=1e-5)
    np.testing.assert_allclose(aligned[:, :4], tf.stack(looked, axis=1), atol=1e-5)


@pytest.mark.parametrize("kind", ["global, dot", "local-p, general"])
def test_what_a_beam_search_says_of_its_hypotheses_is_what_forced_decoding_says(kind: str) -> None:  # K17
    beam = 3
    found = tf.function(BeamSearch())(NETWORKS[kind], SOURCE_IDS, tf.constant(beam), tf.constant(beam))
    ids = np.reshape(found.ids, [len(PAIRS) * beam, -1])
    costs, mask, weights = COSTS[kind](np.repeat(SOURCE_IDS, beam, axis=0), ids)
    said = np.ravel(found.log_probabilities)
    words = np.repeat([len(source) for source, _ in PAIRS], beam)
    ended = np.ravel(found.finished) & np.isfinite(said) & (words > 0)
    assert np.sum(ended) > 3
    np.testing.assert_allclose(said[ended], -np.sum(costs, axis=1)[ended], atol=1e-4)
    looked = np.reshape(found.weights, [len(PAIRS) * beam, -1, weights.shape[-1]])
    real = mask.numpy() & ended[:, None]
    np.testing.assert_allclose(looked[real], weights.numpy()[real], atol=1e-5)


@ALL_KINDS
def test_hypotheses_of_a_sentence_go_their_own_ways(kind: str) -> None:  # C43
    network = NETWORKS[kind]
    memory = network.encode(SOURCE_IDS)
    ways = np.stack([INPUTS, np.roll(INPUTS, 1, axis=0)], axis=1)  # [batch, 2, time]
    together, apart = network.decoder.initial_state(memory, 2), [network.decoder.initial_state(memory)] * 2
    assert {len(part) for part in tf.nest.flatten(together)} == {2 * len(PAIRS)}
    for time in range(3):
        features, together, weights = network.decoder.step(ways[:, :, time].reshape(-1), together, memory)
        for way in range(2):
            alone, apart[way], looked = network.decoder.step(ways[:, way, time], apart[way], memory)
            np.testing.assert_allclose(features[way::2], alone, atol=1e-5)
            np.testing.assert_allclose(weights[way::2], looked, atol=1e-6)


def test_kinds_are_different_models() -> None:
    costs = [costs(SOURCE_IDS, TARGET_IDS)[0] for costs in COSTS.values()]
    for one, other in itertools.combinations(costs, 2):
        assert np.max(np.abs(one - other)) > 0.01


@ALL_KINDS
def test_blank_sentences_and_empty_batches_cost_something_finite(kind: str) -> None:  # C31
    blank = np.zeros([2, 0], "int32")
    costs, _, weights = COSTS[kind](blank, blank)
    assert costs.shape == (2, 1)
    assert np.all(np.isfinite(costs))
    np.testing.assert_allclose(costs, COSTS[kind](np.zeros([2, 4], "int32"), blank)[0], atol=1e-6)
    np.testing.assert_array_equal(weights, np.zeros([2, 1, 1]))
    assert COSTS[kind](blank[:0], blank[:0])[0].shape == (0, 1)


def test_layers_start_from_the_last_states_of_the_encoder() -> None:
    network = NETWORKS["local-p, general"]
    memory = network.encode(SOURCE_IDS)
    state = network.decoder.initial_state(memory, hypotheses=2)
    for found, expected in zip(tf.nest.flatten(state.layers), tf.nest.flatten(memory.summary), strict=True):
        np.testing.assert_array_equal(found, np.repeat(expected, 2, axis=0))
    np.testing.assert_array_equal(state.attentional, np.zeros([2 * len(PAIRS), UNITS]))


def test_local_m_with_a_window_over_all_is_global_attention() -> None:  # K9
    whole = stacked(GlobalAttention(DotScore()), input_feeding=True)
    windowed = stacked(LocalAttention(DotScore(), MonotonicWindow(), half_width=7), input_feeding=True)
    windowed.set_weights(whole.get_weights())
    for found, expected in zip(
        windowed.decoder(INPUTS, windowed.encode(SOURCE_IDS)),
        whole.decoder(INPUTS, whole.encode(SOURCE_IDS)),
        strict=True,
    ):
        np.testing.assert_allclose(found, expected, atol=1e-5)


def test_without_feeding_the_stack_does_not_know_where_it_looked() -> None:
    for feeding in (False, True):
        network = stacked(GlobalAttention(DotScore()), input_feeding=feeding)
        memory = network.encode(SOURCE_IDS)
        narrow = memory._replace(mask=memory.mask & (np.arange(memory.mask.shape[1]) < 1))
        tops = []
        for seen in (memory, narrow):
            _, state, _ = network.decoder.step(INPUTS[:, 0], network.decoder.initial_state(memory), seen)
            _, state, _ = network.decoder.step(INPUTS[:, 1], state, memory)
            tops.append(state.layers[-1][0])
        assert (np.max(np.abs(tops[0] - tops[1])) > 1e-3) == feeding


def test_drops_in_training_only() -> None:  # C36
    network = predictive(dropout=0.5)
    assert_equals_the_twin(network)
    memory = network.encode(SOURCE_IDS)
    exact, _ = network.decoder(INPUTS, memory)
    first, _ = network.decoder(INPUTS, memory, training=True)
    second, _ = network.decoder(INPUTS, memory, training=True)
    assert np.max(np.abs(first - exact)) > 0.01
    assert np.max(np.abs(first - second)) > 0.01
    assert network.decoder.inputs(INPUTS, training=False).masks == ()


def test_draws_what_it_drops_anew_for_each_layer_word_and_sentence() -> None:
    decoder = stacked(dropout=0.2).decoder
    one, other = (mask.numpy() for mask in decoder.inputs(np.full([40, 50], 4), training=True).masks)
    for mask in (one, other):
        assert set(np.unique(mask)) == {0, np.float32(1 / 0.8)}
        assert np.mean(mask == 0) == pytest.approx(0.2, abs=0.02)
        assert np.mean(mask[0] == mask[1]) < 0.9
        assert np.mean(mask[:, 0] == mask[:, 1]) < 0.9
    assert np.mean(one == other) < 0.9


def every_other(inputs: Any) -> Any:
    """What dropout of one half would do if it were no matter of chance."""
    return inputs * (np.arange(inputs.shape[-1]) % 2 * 2)


@pytest.mark.parametrize("feeding", [False, True])
def test_drops_the_inputs_of_each_layer_and_nothing_else(monkeypatch: pytest.MonkeyPatch, feeding: bool) -> None:
    """The fed state is an input; the recurrence, the top of the stack and the attentional state are kept."""

    def call(layer: keras.layers.Dropout, inputs: Any, training: bool = False) -> Any:
        return every_other(inputs) if training and layer.rate else inputs

    monkeypatch.setattr(keras.layers.Dropout, "call", call)
    network = stacked(GlobalAttention(DotScore()), input_feeding=feeding, dropout=0.5, layers=3)
    assert_equals_the_twin(network, training=True, drop=every_other)


@pytest.mark.parametrize(
    ("attention", "shift"),
    [
        (None, 0),
        (GlobalAttention(DotScore()), 1),
        (GlobalAttention(AdditiveScore(4)), 1),
        (LocalAttention(DotScore(), MonotonicWindow()), 1),
        (GlobalAttention(LocationScore()), 0),
        (LocalAttention(LocationScore(), MonotonicWindow()), 0),
    ],
)
def test_weights_of_a_content_score_align_the_word_that_was_read(attention: Any, shift: int) -> None:
    assert LuongDecoder(TARGET_VOCABULARY, 4, UNITS, attention=attention).alignment_shift == shift


def test_knows_its_sizes() -> None:
    decoder = NETWORKS["base"].decoder
    assert decoder.features_size == UNITS
    assert decoder.vocabulary_size == TARGET_VOCABULARY
    assert decoder.max_target_length is None


@pytest.mark.parametrize(("layers", "units"), [(3, UNITS), (2, 6)])
def test_an_encoder_of_another_form_is_refused(layers: int, units: int) -> None:
    memory_shape = NETWORKS["base"].encoder.memory_shape
    with pytest.raises(ValueError, match=f"The decoder's {layers} layers of {units} units"):
        LuongDecoder(TARGET_VOCABULARY, 4, units, layers=layers).build((None, None), memory_shape)


def test_an_encoder_without_layers_is_refused() -> None:
    with pytest.raises(ValueError, match="the encoder must be a stack"):
        LuongDecoder(TARGET_VOCABULARY, 4, UNITS, layers=1).build(
            (None, None), UnidirectionalEncoder(12, 4, UNITS).memory_shape
        )
