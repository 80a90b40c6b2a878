"""Specimens of the Transformer's layers."""

from __future__ import annotations

from tests.layers.specimen import (
    ATTENDED,
    MASK,
    PAIR,
    SOURCES,
    Specimen,
    decoding,
    encoding,
    functional,
    normal,
    random,
    within,
)
from tfnmt.layers.add_and_normalize import AddAndNormalize
from tfnmt.layers.feed_forward import FeedForward
from tfnmt.layers.multi_head_attention import MultiHeadAttention
from tfnmt.layers.sinusoidal_positions import SinusoidalPositions
from tfnmt.layers.transformer_decoder_layer import TransformerDecoderLayer
from tfnmt.layers.transformer_encoder_layer import TransformerEncoderLayer
from tfnmt.models.transformer_decoder import TransformerDecoder
from tfnmt.models.transformer_encoder import TransformerEncoder

STATES = random(2, 5, 4)
ANNOTATIONS = random(2, 5, 4, seed=1)

MULTI_HEAD_ATTENTION = {
    "query_kernel": (4, 6),
    "key_kernel": (4, 6),
    "value_kernel": (4, 6),
    "output_kernel": (6, 4),
}
FEED_FORWARD = {"inner_kernel": (4, 7), "inner_bias": (7,), "outer_kernel": (7, 4), "outer_bias": (4,)}
NORMALIZATION = {"normalization/gamma": (4,), "normalization/beta": (4,)}
ENCODER_LAYER = {
    **within("attention", MULTI_HEAD_ATTENTION),
    **within("feed_forward", FEED_FORWARD),
    **within("after_attention", NORMALIZATION),
    **within("after_feed_forward", NORMALIZATION),
}
DECODER_LAYER = {
    **within("self_attention", MULTI_HEAD_ATTENTION),
    **within("source_attention", MULTI_HEAD_ATTENTION),
    **within("feed_forward", FEED_FORWARD),
    **within("after_self_attention", NORMALIZATION),
    **within("after_source_attention", NORMALIZATION),
    **within("after_feed_forward", NORMALIZATION),
}

SPECIMENS: dict[type, Specimen] = {
    SinusoidalPositions: Specimen(SinusoidalPositions, functional, {"vectors": STATES}, {}),
    FeedForward: Specimen(
        lambda **kwargs: FeedForward(7, kernel_initializer=normal(), **kwargs),
        functional,
        {"inputs": STATES},
        FEED_FORWARD,
    ),
    AddAndNormalize: Specimen(
        lambda **kwargs: AddAndNormalize(dropout=0.2, **kwargs),
        functional,
        {"inputs": STATES, "outputs": ANNOTATIONS},
        NORMALIZATION,
    ),
    MultiHeadAttention: Specimen(
        lambda **kwargs: MultiHeadAttention(2, 3, kernel_initializer=normal(), **kwargs),
        functional,
        ATTENDED,
        MULTI_HEAD_ATTENTION,
    ),
    TransformerEncoderLayer: Specimen(
        lambda **kwargs: TransformerEncoderLayer(2, 3, 7, dropout=0.2, kernel_initializer=normal(), **kwargs),
        functional,
        {"inputs": STATES, "inputs_mask": MASK},
        ENCODER_LAYER,
    ),
    TransformerDecoderLayer: Specimen(
        lambda **kwargs: TransformerDecoderLayer(2, 3, 7, dropout=0.2, kernel_initializer=normal(), **kwargs),
        functional,
        {"inputs": STATES, "annotations": ANNOTATIONS, "annotations_mask": MASK},
        DECODER_LAYER,
    ),
    TransformerEncoder: Specimen(
        lambda **kwargs: TransformerEncoder(
            12, 4, layers=1, heads=2, head_size=3, feed_forward_units=7, dropout=0.2, kernel_initializer=normal(),
            append_end=False, **kwargs,
        ),
        encoding,
        SOURCES,
        {"embedding/table": (12, 4), **within("layer_0", ENCODER_LAYER)},
    ),
    TransformerDecoder: Specimen(
        lambda **kwargs: TransformerDecoder(
            11, 4, layers=1, heads=2, head_size=3, feed_forward_units=7, dropout=0.2, alignment_layer=0,
            kernel_initializer=normal(), **kwargs,
        ),
        decoding(lambda: TransformerEncoder(12, 4, layers=1, heads=2, head_size=3, feed_forward_units=7)),
        PAIR,
        {"embedding/table": (11, 4), **within("layer_0", DECODER_LAYER)},
    ),
}  # fmt: skip
