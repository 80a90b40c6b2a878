import itertools
from collections.abc import Sequence

import keras
import numpy as np
import pytest
import tensorflow as tf

from tests import gehring_twins, twins
from tests.models.finite_differences import assert_every_gradient_equals_finite_differences
from tests.models.gehring_networks import KINDS, SIZE, convolutional, network
from tests.models.networks import PAIRS, SOURCE_IDS, TARGET_IDS, TARGET_VOCABULARY
from tests.models.pair_costs import assert_costs_in_batches_and_alone, compiled
from tests.models.test_positioned_encoder import every_other
from tfnmt.layers.additive_score import AdditiveScore
from tfnmt.layers.dot_score import DotScore
from tfnmt.layers.global_attention import GlobalAttention
from tfnmt.layers.softmax_output import SoftmaxOutput
from tfnmt.models.convolutional_encoder import ConvolutionalEncoder
from tfnmt.models.encoder_decoder import EncoderDecoder
from tfnmt.models.gated_encoder import BidirectionalEncoder
from tfnmt.models.gehring_decoder import GehringDecoder
from tfnmt.models.sequences import prepend_start
from tfnmt.training.normalization import LossNormalization
from tfnmt.training.optimizers import Adam
from tfnmt.training.step import TrainingStep

ALL_KINDS = pytest.mark.parametrize("kind", KINDS)
NETWORKS = {kind: build() for kind, build in KINDS.items()}
COSTS = {kind: compiled(network) for kind, network in NETWORKS.items()}
INPUTS = prepend_start(TARGET_IDS)


def assert_equals_the_twin(joined: EncoderDecoder, training: bool = False, **options: object) -> None:
    features, weights = joined.decoder(INPUTS, joined.encode(SOURCE_IDS), training=training)
    letters = gehring_twins.letters_of_network(joined)
    for row, (source, target) in enumerate(PAIRS):
        encoded = gehring_twins.encode(letters["encoder"], source)
        for time, step in enumerate(gehring_twins.decode(letters["decoder"], encoded, target, **options)):
            np.testing.assert_allclose(features[row, time], step.features, atol=1e-5)
            np.testing.assert_allclose(weights[row, time, : len(source) + 1], step.weights, atol=1e-5)
            np.testing.assert_array_equal(weights[row, time, len(source) + 1 :], 0)  # C24


@ALL_KINDS
def test_costs_are_those_of_the_equations_in_a_batch_and_one_by_one(kind: str) -> None:  # C24, C27, C86
    letters = gehring_twins.letters_of_network(NETWORKS[kind])
    alignments = assert_costs_in_batches_and_alone(
        COSTS[kind], lambda *pair: gehring_twins.translate_by_force(letters, *pair)[0]
    )
    for pair, found in zip(PAIRS, alignments, strict=True):
        _, weights = gehring_twins.translate_by_force(letters, *pair)
        np.testing.assert_allclose(found[:, : weights.shape[1]], weights, atol=1e-5)


@ALL_KINDS
def test_every_gradient_equals_finite_differences(kind: str) -> None:  # K18

    def log_probabilities(letters: twins.Letters, *pair: Sequence[int]) -> np.ndarray:
        return gehring_twins.translate_by_force(letters, *pair)[0]

    assert_every_gradient_equals_finite_differences(
        NETWORKS[kind], gehring_twins.letters_of_network, log_probabilities, PAIRS[:2]
    )


def test_steps_are_teacher_forcing_and_hypotheses_go_their_own_ways() -> None:  # K17, C43
    joined = NETWORKS["convolutional, two layers"]
    memory = joined.encode(SOURCE_IDS)
    features, weights = joined.decoder(INPUTS, memory)
    ways = np.stack([INPUTS, np.roll(INPUTS, 1, axis=0)], axis=1)  # [batch, 2, time]
    state = joined.decoder.initial_state(memory, 2)
    for time in range(INPUTS.shape[1]):
        found, state, looked = joined.decoder.step(ways[:, :, time].reshape(-1), state, memory)
        np.testing.assert_allclose(found[::2], features[:, time], atol=1e-5)
        np.testing.assert_allclose(looked[::2], weights[:, time], atol=1e-5)


def test_drops_the_words_and_the_outputs_in_training_only(monkeypatch: pytest.MonkeyPatch) -> None:  # C36
    joined = network(convolutional(), layers=2, dropout=0.5)
    assert_equals_the_twin(joined)
    monkeypatch.setattr(
        keras.layers.Dropout,
        "call",
        lambda layer, inputs, training=False: every_other(inputs) if training and layer.rate else inputs,
    )
    assert_equals_the_twin(joined, training=True, drop=every_other)


def test_kinds_are_different_models() -> None:
    costs = [costs(SOURCE_IDS, TARGET_IDS)[0] for costs in COSTS.values()]
    for one, other in itertools.combinations(costs, 2):
        assert np.max(np.abs(one - other)) > 0.01


def test_takes_any_encoder_and_attention() -> None:
    """What is scored is then what is summed."""
    joined = EncoderDecoder(
        BidirectionalEncoder(12, 4, 3),
        GehringDecoder(TARGET_VOCABULARY, SIZE, 5, GlobalAttention(AdditiveScore(6))),
        NETWORKS["pooling"].output_layer,
    )
    joined.build()
    memory = joined.encode(SOURCE_IDS)
    assert memory.scored_annotations is memory.annotations
    assert np.all(np.isfinite(joined.decoder(INPUTS, memory)[0]))


def test_a_query_of_another_size_is_refused() -> None:
    decoder = GehringDecoder(TARGET_VOCABULARY, SIZE + 1, 5, GlobalAttention(DotScore()))
    with pytest.raises(ValueError, match="vectors of one size"):
        decoder.build((None, None), convolutional().memory_shape)


@pytest.mark.slow
def test_the_deep_encoder_learns_to_copy_in_a_few_hundred_updates() -> None:
    """By weights of the small profile; from the paper's own, attention stays uniform for long under Adam."""
    keras.utils.set_random_seed(1)
    words, wide = 24, keras.initializers.GlorotUniform()
    joined = EncoderDecoder(
        ConvolutionalEncoder(words, 64, score_units=96, positions=64, kernel_initializer=wide),
        GehringDecoder(words, 64, 96, GlobalAttention(DotScore()), kernel_initializer=wide),
        SoftmaxOutput(words, kernel_initializer=wide),
    )
    joined.build()
    step = TrainingStep(tf.distribute.get_strategy(), joined, Adam(0.002), LossNormalization.TOKEN, clip_norm=1.0)
    random = np.random.default_rng(1)
    costs = []
    for _ in range(300):
        ids = random.integers(4, words, [40, random.integers(3, 9)]).astype("int32")
        result = step(ids, ids)
        costs.append(float(result.loss) / float(result.tokens))
    assert np.mean(costs[:10]) > 2
    assert np.mean(costs[-30:]) < 0.3
