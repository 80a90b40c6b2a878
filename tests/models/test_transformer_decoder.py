import keras
import numpy as np
import pytest
import tensorflow as tf

from tests import transformer_twins, twins
from tests.models.finite_differences import assert_every_gradient_equals_finite_differences
from tests.models.networks import PAIRS, SOURCE_IDS, TARGET_IDS, TARGET_VOCABULARY
from tests.models.pair_costs import assert_costs_in_batches_and_alone, compiled
from tests.models.test_transformer_encoder import every_other
from tests.models.transformer_networks import HEADS, transformer
from tfnmt.decoding.beam_search import BeamSearch
from tfnmt.layers.softmax_output import SoftmaxOutput
from tfnmt.models.encoder_decoder import EncoderDecoder
from tfnmt.models.sequences import prepend_start
from tfnmt.models.transformer_decoder import TransformerDecoder
from tfnmt.text.vocabulary import END

NETWORK = transformer()
COSTS = compiled(NETWORK)
INPUTS = prepend_start(TARGET_IDS)


def assert_equals_the_twin(network: EncoderDecoder, training: bool = False, **options: object) -> None:
    memory = network.encode(SOURCE_IDS)
    features, weights = network.decoder(INPUTS, memory, training=training)
    heads = network.decoder.head_weights(INPUTS, memory)
    letters = transformer_twins.letters_of_network(network)
    for row, (source, target) in enumerate(PAIRS):
        annotations = transformer_twins.encode(letters["encoder"], source)
        expected = transformer_twins.decode(letters["decoder"], annotations, target, **options)
        words, places = len(target) + 1, len(source) + 1
        np.testing.assert_allclose(features[row, :words], expected.features, atol=1e-5)
        np.testing.assert_allclose(weights[row, :words, :places], expected.weights[-1].mean(axis=0), atol=1e-5)
        np.testing.assert_array_equal(weights[row, :words, places:], 0)  # C24
        if not training:
            np.testing.assert_allclose(heads[row, :, :, :words, :places], expected.weights, atol=1e-5)


@pytest.mark.parametrize("joint", [False, True])
def test_equals_the_equations(joint: bool) -> None:
    assert_equals_the_twin(transformer(joint) if joint else NETWORK)


def test_costs_are_those_of_the_equations_in_a_batch_and_one_by_one() -> None:  # C24, C27, C86
    letters = transformer_twins.letters_of_network(NETWORK)
    assert_costs_in_batches_and_alone(COSTS, lambda *pair: transformer_twins.log_probabilities(letters, *pair))


def test_no_word_depends_on_a_later_one() -> None:  # K15
    memory = NETWORK.encode(SOURCE_IDS)
    before, _ = NETWORK.decoder(INPUTS, memory)
    for place in range(1, INPUTS.shape[1]):
        changed = np.array(INPUTS)
        changed[:, place] = 4 + (changed[:, place] + 1) % 7
        after, _ = NETWORK.decoder(changed, memory)
        np.testing.assert_array_equal(after[:, :place], before[:, :place])
        assert np.max(np.abs(after[:, place] - before[:, place])) > 0.01


def test_every_gradient_equals_finite_differences() -> None:  # K18
    assert_every_gradient_equals_finite_differences(
        transformer(joint=False),
        transformer_twins.letters_of_network,
        transformer_twins.log_probabilities,
        PAIRS[:2],
        distance=1e-6,
        tolerance=1e-3,
    )


def test_steps_are_teacher_forcing_beyond_a_block_of_the_caches() -> None:  # K17
    network = NETWORK
    random = np.random.default_rng(1)
    ids = random.integers(4, TARGET_VOCABULARY, [len(PAIRS), 35]).astype("int32")
    memory = network.encode(SOURCE_IDS)
    features, weights = network.decoder(prepend_start(ids), memory)
    state, previous = network.decoder.initial_state(memory), tf.fill([len(PAIRS)], twins.START)
    step = tf.function(network.decoder.step, reduce_retracing=True)
    rooms = set()
    for time in range(ids.shape[1] + 1):
        found, state, looked = step(previous, state, memory)
        np.testing.assert_allclose(found, features[:, time], atol=2e-5)
        np.testing.assert_allclose(looked, weights[:, time], atol=1e-5)
        previous = ids[:, min(time, ids.shape[1] - 1)]
        rooms.add(state.caches[0][0].shape[2])
    assert rooms == {8, 16, 24, 32, 40}


def test_hypotheses_of_a_sentence_go_their_own_ways() -> None:  # C43
    memory = NETWORK.encode(SOURCE_IDS)
    ways = np.stack([INPUTS, np.roll(INPUTS, 1, axis=0)], axis=1)  # [batch, 2, time]
    together, apart = NETWORK.decoder.initial_state(memory, 2), [NETWORK.decoder.initial_state(memory)] * 2
    for time in range(3):
        features, together, weights = NETWORK.decoder.step(ways[:, :, time].reshape(-1), together, memory)
        for way in range(2):
            alone, apart[way], looked = NETWORK.decoder.step(ways[:, way, time], apart[way], memory)
            np.testing.assert_allclose(features[way::2], alone, atol=1e-5)
            np.testing.assert_allclose(weights[way::2], looked, atol=1e-6)


def test_what_a_beam_search_says_of_its_hypotheses_is_what_forced_decoding_says() -> None:  # K17, C43
    """The longest must have more words than a block of the caches holds."""
    beam, output = 8, SoftmaxOutput(TARGET_VOCABULARY)
    network = EncoderDecoder(NETWORK.encoder, NETWORK.decoder, output)
    network.build()
    output.bias.assign(np.eye(TARGET_VOCABULARY)[END])  # so that some hypotheses end
    search = BeamSearch(0.0, maximum_length_factor=3.0, maximum_length_constant=3, minimum_length_factor=2.5)
    found = search(network, SOURCE_IDS, beam, beam)
    ids = np.reshape(found.ids, [len(PAIRS) * beam, -1])
    sources = np.repeat(SOURCE_IDS, beam, axis=0)
    costs, mask, weights = network.token_negative_log_likelihoods(sources, ids)
    ended = np.ravel(found.finished)
    real = mask.numpy() & (ended[:, None] | (np.arange(mask.shape[1]) < np.ravel(found.lengths)[:, None]))
    there = np.isfinite(np.ravel(found.scores)) & (np.repeat([len(source) for source, _ in PAIRS], beam) > 0)
    assert np.sum(there) == 4 * beam
    assert np.any(ended[there])
    assert np.max(found.lengths) > 16
    said = np.ravel(found.log_probabilities)
    np.testing.assert_allclose(said[there], -np.sum(costs * real, axis=1)[there], rtol=1e-5, atol=1e-4)
    looked = np.reshape(found.weights, [len(PAIRS) * beam, -1, weights.shape[-1]])
    real &= there[:, None]
    np.testing.assert_allclose(looked[real], weights.numpy()[real], atol=1e-5)


def test_one_matrix_serves_three_times() -> None:
    joint, apart = transformer(joint=True), NETWORK
    assert joint.encoder.embedding is joint.decoder.embedding
    assert joint.output_layer.rows is joint.decoder.embedding.table
    assert len({id(weight) for weight in joint.trainable_variables}) == len(joint.trainable_variables)
    words = 2 * apart.decoder.vocabulary_size  # its vectors and its output
    assert apart.count_params() - joint.count_params() == words * 6


def test_a_shared_matrix_survives_its_file(tmp_path: object) -> None:  # C72
    network = transformer(joint=True)
    network.save(f"{tmp_path}/network.keras")
    again = keras.saving.load_model(f"{tmp_path}/network.keras")
    assert again.encoder.embedding is again.decoder.embedding
    assert again.output_layer.rows is again.decoder.embedding.table
    np.testing.assert_allclose(again((SOURCE_IDS, TARGET_IDS)), network((SOURCE_IDS, TARGET_IDS)), atol=1e-6)


def test_drops_the_sum_of_word_and_position_and_what_each_sub_layer_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    network = transformer(dropout=0.5)
    assert_equals_the_twin(network)  # nothing in use (C36)
    monkeypatch.setattr(
        keras.layers.Dropout,
        "call",
        lambda layer, inputs, training=False: every_other(inputs) if training and layer.rate else inputs,
    )
    assert_equals_the_twin(network, training=True, drop=every_other)


def test_blank_sentences_and_empty_batches_cost_something_finite() -> None:  # C31
    blank = np.zeros([2, 0], "int32")
    costs, _, weights = COSTS(blank, blank)
    assert costs.shape == (2, 1)
    assert np.all(np.isfinite(costs))
    np.testing.assert_array_equal(weights, np.ones([2, 1, 1]))
    assert COSTS(blank[:0], blank[:0])[0].shape == (0, 1)


def test_words_are_aligned_by_the_layer_that_was_named() -> None:
    other = TransformerDecoder.from_config({**NETWORK.decoder.get_config(), "alignment_layer": 0})
    memory = NETWORK.encode(SOURCE_IDS)
    other.build((None, None), NETWORK.encoder.memory_shape)
    other.set_weights(NETWORK.decoder.get_weights())
    heads = NETWORK.decoder.head_weights(INPUTS, memory)
    assert heads.shape[1:3] == (2, HEADS)
    np.testing.assert_allclose(other(INPUTS, memory)[1], np.mean(heads[:, 0], axis=1), atol=1e-6)
    with pytest.raises(ValueError, match="no layer 2"):
        TransformerDecoder(TARGET_VOCABULARY, 6, layers=2, alignment_layer=2)


def test_an_encoder_of_another_size_is_refused() -> None:
    decoder = TransformerDecoder(TARGET_VOCABULARY, 8, layers=1, heads=2, head_size=4, feed_forward_units=5)
    with pytest.raises(ValueError, match="annotations of size 6 do not fit vectors of size 8"):
        decoder.build((None, None), NETWORK.encoder.memory_shape)


def test_half_precision_is_finite_and_near() -> None:  # C29
    half = transformer(dtype="mixed_bfloat16")
    half.set_weights(NETWORK.get_weights())
    found, expected = half((SOURCE_IDS, TARGET_IDS)), NETWORK((SOURCE_IDS, TARGET_IDS))
    np.testing.assert_allclose(found, expected, atol=0.05 * np.max(np.abs(expected)))


def test_caches_are_kept_as_products_read_them_and_say_the_same() -> None:  # K17, C29
    half = transformer(dtype="mixed_bfloat16")
    memory = half.encode(SOURCE_IDS)
    features, weights = half.decoder(INPUTS, memory)
    state = half.decoder.initial_state(memory)
    for time in range(INPUTS.shape[1]):
        found, state, looked = half.decoder.step(INPUTS[:, time], state, memory)
        np.testing.assert_allclose(found, features[:, time], atol=0.02 * np.max(np.abs(features)))
        np.testing.assert_allclose(looked, weights[:, time], atol=0.02)
    assert {part.dtype for part in tf.nest.flatten(state.caches)} == {tf.bfloat16}
