import numpy as np
import pytest

from tests import twins
from tests.decoding.tiny import ENGLISH, GERMAN, tiny_translator
from tfnmt.decoding.beam_search import BeamSearch
from tfnmt.decoding.heads import head_weights
from tfnmt.decoding.translator import Translator
from tfnmt.errors import UserError
from tfnmt.layers.softmax_output import SoftmaxOutput
from tfnmt.models.encoder_decoder import EncoderDecoder
from tfnmt.models.transformer_decoder import TransformerDecoder
from tfnmt.models.transformer_encoder import TransformerEncoder


def test_weights_of_heads_are_those_whose_mean_aligns() -> None:
    tiny = tiny_translator()
    source, target = tiny.source_tokenizer, tiny.target_tokenizer
    sizes = {"units": 6, "layers": 2, "heads": 3, "head_size": 4, "feed_forward_units": 7}
    network = EncoderDecoder(
        TransformerEncoder(source.vocabulary_size, **sizes),
        TransformerDecoder(target.vocabulary_size, **sizes),
        SoftmaxOutput(target.vocabulary_size),
    )
    network.build()
    twins.randomize(network)
    translator = Translator(source, target, network, BeamSearch())
    for alignment in translator.align(ENGLISH[:2], GERMAN[:2]):
        weights = head_weights(translator, alignment)
        assert weights.shape == (2, 3, len(alignment.target_tokens), len(alignment.source_tokens))
        np.testing.assert_allclose(weights[-1].mean(axis=0), alignment.weights, atol=1e-5)


def test_attention_without_heads_is_told() -> None:
    translator = tiny_translator()
    (alignment,) = translator.align(ENGLISH[:1], GERMAN[:1])
    with pytest.raises(UserError, match="This model's BahdanauDecoder has one attention without heads"):
        head_weights(translator, alignment)
