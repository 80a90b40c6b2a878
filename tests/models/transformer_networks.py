"""Tiny Transformers that the tests of this room share."""

from __future__ import annotations

from typing import Any

from tests import twins
from tests.models.networks import SOURCE_VOCABULARY, TARGET_VOCABULARY
from tfnmt.layers.softmax_output import SoftmaxOutput
from tfnmt.models.encoder_decoder import EncoderDecoder
from tfnmt.models.transformer_decoder import TransformerDecoder
from tfnmt.models.transformer_encoder import TransformerEncoder

UNITS, HEADS = 6, 2


def transformer(joint: bool = False, dropout: float = 0.0, layers: int = 2, dtype: Any = None) -> EncoderDecoder:
    """With `joint`, one vocabulary and one matrix of word vectors for all three uses."""
    words = (SOURCE_VOCABULARY, SOURCE_VOCABULARY if joint else TARGET_VOCABULARY)
    sizes = {"units": UNITS, "heads": HEADS, "head_size": 4, "feed_forward_units": 7, "dropout": dropout}
    network = EncoderDecoder(
        TransformerEncoder(words[0], layers=layers, dtype=dtype, **sizes),
        TransformerDecoder(words[1], layers=layers, dtype=dtype, **sizes),
        SoftmaxOutput(words[1], bias=False, dtype=dtype),
        share_target_embedding=joint,
        share_source_embedding=joint,
    )
    network.build()
    twins.randomize(network)
    return network
