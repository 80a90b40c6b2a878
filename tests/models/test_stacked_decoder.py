"""What the decoders of LSTM layers share."""

import keras
import numpy as np
import pytest

from tests.models import gehring_networks, luong_networks
from tests.models.networks import SOURCE_IDS, TARGET_VOCABULARY
from tfnmt.layers.general_score import GeneralScore
from tfnmt.layers.global_attention import GlobalAttention
from tfnmt.models.encoder_decoder import EncoderDecoder

KINDS = {
    "luong": lambda: luong_networks.stacked(GlobalAttention(GeneralScore()), input_feeding=True, layers=3, dropout=0.1),
    "gehring": lambda: gehring_networks.network(gehring_networks.pooling(), layers=3, dropout=0.1),
}
EITHER = pytest.mark.parametrize("network", [kind() for kind in KINDS.values()], ids=list(KINDS))


@EITHER
def test_the_first_layer_reads_word_vectors_and_the_others_the_layer_below(network: EncoderDecoder) -> None:
    decoder = network.decoder
    assert decoder.embedding.table.shape == (TARGET_VOCABULARY, 4)
    assert [unit.kernel.shape for unit in decoder.units_by_layer] == [(4, 20), (5, 20), (5, 20)]


@EITHER
def test_no_two_matrices_start_alike_even_with_one_seed(network: EncoderDecoder) -> None:
    config = network.decoder.get_config()
    uniform = keras.initializers.serialize(keras.initializers.RandomUniform(-0.1, 0.1, seed=1))
    decoder = type(network.decoder).from_config({**config, "kernel_initializer": uniform})
    decoder.build((None, None), network.encoder.memory_shape)
    starts = [np.ravel(variable)[:4] for variable in decoder.variables]
    matrices = [start for start in starts if np.any(start)]
    assert len(matrices) > 6
    assert len({tuple(start) for start in matrices}) == len(matrices)


@EITHER
def test_what_attention_reads_is_made_once_a_sentence(network: EncoderDecoder) -> None:
    memory = network.encoder(SOURCE_IDS)
    prepared = network.decoder.prepare(memory)
    np.testing.assert_array_equal(prepared.keys, network.decoder.attention.keys(memory.scored_annotations))


def test_without_attention_nothing_is_made() -> None:
    network = luong_networks.stacked(None)
    memory = network.encoder(SOURCE_IDS)
    assert network.decoder.prepare(memory) is memory


@EITHER
def test_its_configuration_makes_it_again(network: EncoderDecoder) -> None:
    config = keras.saving.serialize_keras_object(network.decoder)
    again = keras.saving.deserialize_keras_object(config)
    assert again.get_config() == network.decoder.get_config()
    assert type(again) is type(network.decoder)
    assert len(again.units_by_layer) == 3
    assert again.attention is not network.decoder.attention
