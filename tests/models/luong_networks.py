"""Tiny networks of Luong et al. that the tests of this room share."""

from __future__ import annotations

from typing import Any

from tests import twins
from tests.models.networks import SOURCE_VOCABULARY, TARGET_VOCABULARY
from tfnmt.layers.attention import Attention
from tfnmt.layers.concat_score import ConcatScore
from tfnmt.layers.dot_score import DotScore
from tfnmt.layers.general_score import GeneralScore
from tfnmt.layers.global_attention import GlobalAttention
from tfnmt.layers.local_attention import LocalAttention
from tfnmt.layers.location_score import LocationScore
from tfnmt.layers.softmax_output import SoftmaxOutput
from tfnmt.layers.window import MonotonicWindow, PredictiveWindow
from tfnmt.models.encoder_decoder import EncoderDecoder
from tfnmt.models.luong_decoder import LuongDecoder
from tfnmt.models.stacked_encoder import StackedLSTMEncoder

UNITS = 5


def stacked(
    attention: Attention | None = None,
    input_feeding: bool = False,
    reverse_source: bool = True,
    append_end: bool = False,
    dropout: float = 0.0,
    layers: int = 2,
) -> EncoderDecoder:
    network = EncoderDecoder(
        StackedLSTMEncoder(
            SOURCE_VOCABULARY,
            4,
            UNITS,
            layers=layers,
            reverse_source=reverse_source,
            append_end=append_end,
            dropout=dropout,
        ),
        LuongDecoder(
            TARGET_VOCABULARY,
            4,
            UNITS,
            layers=layers,
            attention=attention,
            input_feeding=input_feeding,
            dropout=dropout,
        ),
        SoftmaxOutput(TARGET_VOCABULARY, bias=False),
    )
    network.build()
    twins.randomize(network)
    return network


def predictive(**options: Any) -> EncoderDecoder:
    """The best of the paper's: local-p with the general score, input feeding, reversed source."""
    return stacked(LocalAttention(GeneralScore(), PredictiveWindow(6), half_width=2), input_feeding=True, **options)


KINDS = {
    "base": lambda: stacked(reverse_source=False),
    "feeding without attention": lambda: stacked(input_feeding=True, append_end=True),
    "global, dot": lambda: stacked(GlobalAttention(DotScore()), layers=3),
    "global, location": lambda: stacked(GlobalAttention(LocationScore(5)), input_feeding=True, layers=1),
    "local-m, concat": lambda: stacked(
        LocalAttention(ConcatScore(), MonotonicWindow(), half_width=1), input_feeding=True, reverse_source=False
    ),
    "local-p, general": predictive,
}
