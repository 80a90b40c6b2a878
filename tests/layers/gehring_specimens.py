"""Specimens of the layers of Gehring et al."""

from __future__ import annotations

from typing import Any

from tests.layers.specimen import (
    MASK,
    PAIR,
    SOURCES,
    Specimen,
    decoding,
    encoding,
    functional,
    normal,
    random,
)
from tfnmt.layers.convolution_stack import ConvolutionStack
from tfnmt.layers.dot_score import DotScore
from tfnmt.layers.global_attention import GlobalAttention
from tfnmt.layers.learned_positions import LearnedPositions
from tfnmt.models.convolutional_encoder import ConvolutionalEncoder
from tfnmt.models.gehring_decoder import GehringDecoder
from tfnmt.models.pooling_encoder import PoolingEncoder

STATES = random(2, 5, 4)
POSITIONED = {"embedding/table": (12, 4), "positions/table": (6, 4)}


def options() -> dict[str, Any]:
    return {"positions": 6, "embedding_dropout": 0.1, "kernel_initializer": normal(), "append_end": False}


SPECIMENS: dict[type, Specimen] = {
    LearnedPositions: Specimen(
        lambda **kwargs: LearnedPositions(6, initializer=normal(), **kwargs),
        functional,
        {"vectors": STATES},
        {"table": (6, 4)},
    ),
    ConvolutionStack: Specimen(
        lambda **kwargs: ConvolutionStack(
            2, width=5, last_residual=True, scale_gradients=False, kernel_initializer=normal(), **kwargs
        ),
        functional,
        {"inputs": STATES, "inputs_mask": MASK},
        {"kernel_0": (5, 4, 4), "kernel_1": (5, 4, 4), "bias_0": (4,), "bias_1": (4,)},
    ),
    PoolingEncoder: Specimen(
        lambda **kwargs: PoolingEncoder(12, 4, width=3, **options(), **kwargs), encoding, SOURCES, POSITIONED
    ),
    ConvolutionalEncoder: Specimen(
        lambda **kwargs: ConvolutionalEncoder(
            12, 4, score_layers=1, score_units=3, value_layers=1, width=5, **options(), **kwargs
        ),
        encoding,
        SOURCES,
        {
            **POSITIONED,
            "score_stack/kernel_0": (5, 3, 3),
            "score_stack/bias_0": (3,),
            "value_stack/kernel_0": (5, 4, 4),
            "value_stack/bias_0": (4,),
            "inner_kernel": (4, 3),
            "inner_bias": (3,),
            "outer_kernel": (3, 4),
            "outer_bias": (4,),
        },
    ),
    GehringDecoder: Specimen(
        lambda **kwargs: GehringDecoder(
            11,
            4,
            3,
            attention=GlobalAttention(DotScore()),
            layers=2,
            embedding_dropout=0.1,
            output_dropout=0.1,
            kernel_initializer=normal(),
            **kwargs,
        ),
        decoding(lambda: PoolingEncoder(12, 4, kernel_initializer=normal())),
        PAIR,
        {
            "embedding/table": (11, 4),
            "unit_0/kernel": (4, 12),
            "unit_0/recurrent_kernel": (3, 12),
            "unit_1/kernel": (3, 12),
            "unit_1/recurrent_kernel": (3, 12),
            "query_kernel": (3, 4),
            "query_bias": (4,),
            "context_kernel": (4, 12),
            "features_kernel": (3, 4),
            "features_bias": (4,),
        },
    ),
}
