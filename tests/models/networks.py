"""Tiny networks and sentences that the tests of this room share."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests import twins
from tfnmt.layers.additive_score import AdditiveScore
from tfnmt.layers.context_coverage import ContextCoverage
from tfnmt.layers.fixed_context import FixedContext
from tfnmt.layers.global_attention import GlobalAttention
from tfnmt.layers.maxout_readout import MaxoutReadout
from tfnmt.layers.semantic_matching import SemanticMatching
from tfnmt.layers.softmax_output import SoftmaxOutput
from tfnmt.models.bahdanau_decoder import BahdanauDecoder
from tfnmt.models.encoder_decoder import EncoderDecoder
from tfnmt.models.gated_encoder import BidirectionalEncoder, UnidirectionalEncoder
from tfnmt.models.multi_task_network import MultiTaskNetwork
from tfnmt.models.value_network import ValueNetwork

SOURCE_VOCABULARY, TARGET_VOCABULARY = 12, 11
UNITS = 5

PAIRS = [
    ([4, 5, 6], [7, 4]),
    ([9, 3, 4, 11, 5, 8, 10], [5, 6, 10, 3, 4, 4]),
    ([7], [8]),
    ([], [9, 4, 5]),
    ([6, 6], []),
]


def padded(rows: list[list[int]], width: int | None = None) -> np.ndarray:
    width = max(map(len, rows), default=0) if width is None else width
    ids = np.zeros([len(rows), width], np.int32)
    for row, words in enumerate(rows):
        ids[row, : len(words)] = words
    return ids


SOURCE_IDS = padded([source for source, _ in PAIRS])
TARGET_IDS = padded([target for _, target in PAIRS])


def searching(step_order: str = "groundhog", dropout: float = 0.0, dtype: Any = None, **options: Any) -> EncoderDecoder:
    """RNNsearch."""
    return _built(
        BidirectionalEncoder(
            SOURCE_VOCABULARY, 4, UNITS, embedding_dropout=dropout, annotation_dropout=dropout, dtype=dtype
        ),
        BahdanauDecoder(
            TARGET_VOCABULARY,
            3,
            6,
            attention=GlobalAttention(AdditiveScore(7, dtype=dtype), dtype=dtype),
            readout=MaxoutReadout(4, projection=3, dropout=dropout, dtype=dtype),
            step_order=step_order,
            embedding_dropout=dropout,
            dtype=dtype,
        ),
        **options,
    )


def encoding(step_order: str = "groundhog", **options: Any) -> EncoderDecoder:
    """RNNencdec."""
    return _built(
        UnidirectionalEncoder(SOURCE_VOCABULARY, 4, UNITS),
        BahdanauDecoder(
            TARGET_VOCABULARY, 3, 6, attention=FixedContext(), readout=MaxoutReadout(4), step_order=step_order
        ),
        **options,
    )


def unbuilt(**options: Any) -> EncoderDecoder:
    """The network of `searching`, without weights."""
    return EncoderDecoder(
        BidirectionalEncoder(SOURCE_VOCABULARY, 4, UNITS),
        BahdanauDecoder(TARGET_VOCABULARY, 3, 6, GlobalAttention(AdditiveScore(7)), MaxoutReadout(4, projection=3)),
        SoftmaxOutput(TARGET_VOCABULARY),
        **options,
    )


def of_tasks(*tasks: str, **options: Any) -> MultiTaskNetwork:
    """One encoder, an RNNsearch for each task."""
    network = MultiTaskNetwork({task: unbuilt(**options) for task in tasks})
    network.build()
    twins.randomize(network)
    return network


def judging() -> ValueNetwork:
    """A value network over an RNNsearch."""
    network = ValueNetwork(searching(), SemanticMatching(4), ContextCoverage(3))
    network.build()
    twins.randomize(network, seed=1)
    return network


def _built(
    encoder: Any, decoder: Any, seed: int = 0, label_smoothing: float = 0.0, share_target_embedding: bool = False
) -> EncoderDecoder:
    network = EncoderDecoder(
        encoder,
        decoder,
        SoftmaxOutput(TARGET_VOCABULARY, label_smoothing=label_smoothing, dtype=decoder.dtype_policy),
        share_target_embedding=share_target_embedding,
    )
    network.build()
    twins.randomize(network, seed)
    return network


KINDS = {
    "RNNsearch": lambda **options: searching(**options),
    "RNNsearch, main text": lambda **options: searching("main-text", **options),
    "RNNencdec": lambda **options: encoding(**options),
    "RNNencdec, main text": lambda **options: encoding("main-text", **options),
}
