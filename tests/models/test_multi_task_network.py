"""One encoder, many decoders: each task is a network like any other, and leaves the others alone."""

from __future__ import annotations

import keras
import numpy as np
import pytest

from tests import twins
from tests.models.networks import PAIRS, SOURCE_IDS, TARGET_IDS, of_tasks, searching, unbuilt
from tfnmt.models.multi_task_network import MultiTaskNetwork

INPUTS = (SOURCE_IDS, TARGET_IDS)


def test_one_encoder_and_a_decoder_an_attention_and_an_output_for_each_task() -> None:
    one, three = of_tasks("de"), of_tasks("de", "fr", "cs")
    shared = one.encoder.count_params()
    assert three.count_params() == shared + 3 * (one.count_params() - shared)
    assert three.tasks == ("de", "fr", "cs")
    assert all(three.task(task).encoder is three.encoder for task in three.tasks)
    assert len({id(three.task(task).decoder.attention) for task in three.tasks}) == 3


def test_each_task_equals_the_equations() -> None:
    network = of_tasks("de", "fr")
    found = network((SOURCE_IDS, {"de": TARGET_IDS, "fr": TARGET_IDS}))
    assert np.max(np.abs(found["de"] - found["fr"])) > 0.1
    for task, logits in found.items():
        letters = twins.letters_of_network(network.task(task))
        for row, (source, target) in enumerate(PAIRS):
            expected, _ = twins.translate_by_force(letters, "groundhog", source, target)
            log_probabilities = keras.ops.log_softmax(logits[row, : len(expected)])
            np.testing.assert_allclose(log_probabilities, expected, atol=2e-5)


def test_with_one_language_it_is_rnnsearch() -> None:  # K13
    network, plain = of_tasks("de"), searching()
    plain.set_weights(network.get_weights())
    np.testing.assert_array_equal(network.task("de")(INPUTS), plain(INPUTS))
    np.testing.assert_array_equal(network.task("de").token_losses(*INPUTS), plain.token_losses(*INPUTS))


def test_a_task_trains_the_encoder_and_its_own_parts_only() -> None:  # K13
    network = of_tasks("de", "fr")
    updated = {id(variable) for variable in network.task("de").trainable_variables}
    others = [variable for variable in network.task("fr").decoder.variables]
    assert updated.isdisjoint(id(variable) for variable in others)
    assert updated >= {id(variable) for variable in network.encoder.trainable_variables}


def test_further_tasks_leave_the_encoder_and_the_others_as_they_are() -> None:
    network = of_tasks("de", "fr")
    before = network.task("de")(INPUTS)
    more = network.with_tasks({"cs": unbuilt()})
    more.build()
    new = more.task("cs")
    assert more.tasks == ("de", "fr", "cs")
    trained = {id(variable) for variable in more.trainable_variables}
    assert trained == {
        id(variable) for part in (new.decoder, new.output_layer) for variable in part.trainable_variables
    }
    assert trained == {id(variable) for variable in new.trainable_variables}
    for variable in more.trainable_variables:
        variable.assign(variable + 1.0)
    np.testing.assert_array_equal(more.task("de")(INPUTS), before)


@pytest.mark.parametrize("share", [False, True])
def test_it_is_rebuilt_from_its_config_with_one_encoder(share: bool) -> None:
    network = of_tasks("de", "fr", share_target_embedding=share)
    again = MultiTaskNetwork.from_config(network.get_config())
    again.build()
    again.set_weights(network.get_weights())
    assert again.task("fr").encoder is again.task("de").encoder
    np.testing.assert_array_equal(again.task("fr")(INPUTS), network.task("fr")(INPUTS))


def test_networks_that_cannot_share_are_refused() -> None:
    with pytest.raises(ValueError, match="one task at least"):
        MultiTaskNetwork({})
    with pytest.raises(ValueError, match="'fr' was built with an encoder of its own"):
        MultiTaskNetwork({"de": unbuilt(), "fr": searching()})
