import numpy as np
import pytest
import tensorflow as tf

from tests.models.networks import KINDS, PAIRS, SOURCE_IDS, TARGET_IDS
from tfnmt.models.sequences import prepend_start

ALL_KINDS = pytest.mark.parametrize("kind", KINDS)
INPUTS = prepend_start(TARGET_IDS)
TIMES = INPUTS.shape[1]


@ALL_KINDS
def test_teacher_forcing_equals_step_by_step(kind: str) -> None:
    network = KINDS[kind]()
    memory = network.encode(SOURCE_IDS)
    features, weights = network.decoder(INPUTS, memory)
    state = network.decoder.initial_state(memory)
    for time in range(TIMES):
        now, state, looked = network.decoder.step(INPUTS[:, time], state, memory)
        np.testing.assert_allclose(now, features[:, time], atol=1e-5)
        np.testing.assert_allclose(looked, weights[:, time], atol=1e-6)


@ALL_KINDS
def test_hypotheses_of_a_sentence_go_their_own_ways(kind: str) -> None:  # C43
    network = KINDS[kind]()
    memory = network.encode(SOURCE_IDS)
    ways = np.stack([INPUTS, np.roll(INPUTS, 1, axis=0), np.roll(INPUTS, 2, axis=0)], axis=1)  # [batch, 3, time]
    together, apart = network.decoder.initial_state(memory, 3), [network.decoder.initial_state(memory)] * 3
    for time in range(3):
        features, together, weights = network.decoder.step(ways[:, :, time].reshape(-1), together, memory)
        for way in range(3):
            alone, apart[way], looked = network.decoder.step(ways[:, way, time], apart[way], memory)
            np.testing.assert_allclose(features[way::3], alone, atol=1e-5)
            np.testing.assert_allclose(weights[way::3], looked, atol=1e-6)


@pytest.mark.parametrize("kind", ["RNNsearch", "RNNencdec, main text"])
def test_one_trace_serves_every_batch_and_length(kind: str) -> None:
    network = KINDS[kind]()
    traces = []

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.int32)] * 2)
    def decode(source_ids: tf.Tensor, input_ids: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        traces.append(source_ids)
        return network.decoder(input_ids, network.encode(source_ids))

    for rows, source, target in ((5, 7, 7), (1, 3, 2), (0, 7, 1)):
        features, weights = decode(SOURCE_IDS[:rows, :source], INPUTS[:rows, :target])
        expected = network.decoder(INPUTS[:rows, :target], network.encode(SOURCE_IDS[:rows, :source]))
        np.testing.assert_allclose(features, expected[0], atol=1e-5)
        np.testing.assert_allclose(weights, expected[1], atol=1e-6)
    assert len(traces) == 1


def test_state_is_a_nest_with_one_row_for_each_hypothesis() -> None:
    network = KINDS["RNNsearch"]()
    state = network.decoder.initial_state(network.encode(SOURCE_IDS), hypotheses=4)
    assert {len(part) for part in tf.nest.flatten(state)} == {4 * len(PAIRS)}
