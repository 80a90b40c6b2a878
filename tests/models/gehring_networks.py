"""Tiny networks of Gehring et al. that the tests of this room share."""

from __future__ import annotations

from typing import Any

from tests import twins
from tests.models.networks import SOURCE_VOCABULARY, TARGET_VOCABULARY
from tfnmt.layers.dot_score import DotScore
from tfnmt.layers.global_attention import GlobalAttention
from tfnmt.layers.softmax_output import SoftmaxOutput
from tfnmt.models.convolutional_encoder import ConvolutionalEncoder
from tfnmt.models.encoder import Encoder
from tfnmt.models.encoder_decoder import EncoderDecoder
from tfnmt.models.gehring_decoder import GehringDecoder
from tfnmt.models.pooling_encoder import PoolingEncoder

SIZE = 4


def convolutional(**options: Any) -> ConvolutionalEncoder:
    sizes = {"score_layers": 3, "score_units": 5, "value_layers": 2, "positions": 6}
    return ConvolutionalEncoder(SOURCE_VOCABULARY, SIZE, **{**sizes, **options})


def pooling(**options: Any) -> PoolingEncoder:
    return PoolingEncoder(SOURCE_VOCABULARY, SIZE, **{"width": 3, "positions": 6, **options})


def unscaled(encoder: ConvolutionalEncoder) -> ConvolutionalEncoder:
    """Its gradients are those of the equations."""
    for stack in (encoder.score_stack, encoder.value_stack):
        stack.scale_gradients = False
    return encoder


def network(encoder: Encoder, layers: int = 1, dropout: float = 0.0) -> EncoderDecoder:
    joined = EncoderDecoder(
        encoder,
        GehringDecoder(
            TARGET_VOCABULARY,
            SIZE,
            5,
            GlobalAttention(DotScore()),
            layers=layers,
            embedding_dropout=dropout,
            output_dropout=dropout,
        ),
        SoftmaxOutput(TARGET_VOCABULARY),
    )
    joined.build()
    twins.randomize(joined)
    return joined


KINDS = {
    "pooling": lambda: network(pooling()),
    "convolutional": lambda: network(unscaled(convolutional())),
    "convolutional, two layers": lambda: network(unscaled(convolutional(score_layers=1)), layers=2),
}
