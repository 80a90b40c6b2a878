"""One specimen of every public layer: how to make it, how to use it in a Keras model, and which weights it has."""

from __future__ import annotations

from typing import Any

from tests.layers import gehring_specimens, one_to_many_specimens, transformer_specimens
from tests.layers.specimen import (
    ATTENDED,
    COMPARED,
    PAIR,
    SEQUENCES,
    SOURCES,
    Specimen,
    decoding,
    encoding,
    functional,
    itself,
    normal,
    random,
    recurrent,
    within,
)
from tests.models.networks import SOURCE_IDS
from tfnmt.layers.additive_score import AdditiveScore
from tfnmt.layers.concat_score import ConcatScore
from tfnmt.layers.dot_score import DotScore
from tfnmt.layers.fixed_context import FixedContext
from tfnmt.layers.gated_unit import GatedUnit
from tfnmt.layers.general_score import GeneralScore
from tfnmt.layers.global_attention import GlobalAttention
from tfnmt.layers.local_attention import LocalAttention
from tfnmt.layers.location_score import LocationScore
from tfnmt.layers.lstm_unit import LSTMUnit
from tfnmt.layers.maxout_readout import MaxoutReadout
from tfnmt.layers.sampled_softmax_output import SampledSoftmaxOutput
from tfnmt.layers.sampling import LogUniformSampling
from tfnmt.layers.scaled_dot_score import ScaledDotScore
from tfnmt.layers.softmax_output import SoftmaxOutput
from tfnmt.layers.window import MonotonicWindow, PredictiveWindow
from tfnmt.layers.word_embedding import WordEmbedding
from tfnmt.models.bahdanau_decoder import BahdanauDecoder
from tfnmt.models.encoder_decoder import EncoderDecoder
from tfnmt.models.gated_encoder import BidirectionalEncoder, UnidirectionalEncoder
from tfnmt.models.luong_decoder import LuongDecoder
from tfnmt.models.stacked_encoder import StackedLSTMEncoder
from tfnmt.models.transformer_decoder import TransformerDecoder
from tfnmt.models.transformer_encoder import TransformerEncoder

GATED_UNIT = {"kernel": (4, 9), "gate_kernel": (3, 6), "candidate_kernel": (3, 3), "bias": (3,)}
ADDITIVE_SCORE = {"query_kernel": (4, 6), "annotation_kernel": (4, 6), "vector": (6, 1)}
PREDICTIVE_WINDOW = {"kernel": (4, 6), "vector": (6, 1)}
MAXOUT_READOUT = {
    "state_kernel": (4, 6),
    "embedding_kernel": (2, 6),
    "context_kernel": (5, 6),
    "bias": (6,),
    "projection_kernel": (3, 7),
}


def gated_encoder_options() -> dict[str, Any]:
    return {
        "embedding_dropout": 0.1,
        "annotation_dropout": 0.1,
        "kernel_initializer": normal(),
        "append_end": False,
    }


GATED_ENCODER = {
    "embedding/table": (12, 4),
    "embedding/bias": (4,),
    **within("forward_unit", GATED_UNIT),
}

SPECIMENS: dict[type, Specimen] = {
    AdditiveScore: Specimen(
        lambda **kwargs: AdditiveScore(6, kernel_initializer=normal(), vector_initializer=normal(), **kwargs),
        functional,
        COMPARED,
        ADDITIVE_SCORE,
    ),
    ConcatScore: Specimen(
        lambda **kwargs: ConcatScore(identity=False, units=6, kernel_initializer=normal(), **kwargs),
        functional,
        COMPARED,
        ADDITIVE_SCORE,
    ),
    DotScore: Specimen(DotScore, functional, COMPARED, {}),
    ScaledDotScore: Specimen(ScaledDotScore, functional, COMPARED, {}),
    GeneralScore: Specimen(
        lambda **kwargs: GeneralScore(kernel_initializer=normal(), **kwargs),
        functional,
        COMPARED,
        {"kernel": (4, 4)},
    ),
    LocationScore: Specimen(
        lambda **kwargs: LocationScore(positions=6, kernel_initializer=normal(), **kwargs),
        functional,
        COMPARED,
        {"kernel": (4, 6)},
    ),
    FixedContext: Specimen(FixedContext, functional, ATTENDED, {}),
    GlobalAttention: Specimen(
        lambda **kwargs: GlobalAttention(
            AdditiveScore(6, kernel_initializer=normal(), vector_initializer=normal(), name="score"), **kwargs
        ),
        functional,
        ATTENDED,
        within("score", ADDITIVE_SCORE),
    ),
    LocalAttention: Specimen(
        lambda **kwargs: LocalAttention(
            GeneralScore(name="score"), PredictiveWindow(6, name="window"), half_width=2, **kwargs
        ),
        functional,
        ATTENDED,
        {"score/kernel": (4, 4), **within("window", PREDICTIVE_WINDOW)},
    ),
    MonotonicWindow: Specimen(
        MonotonicWindow,
        lambda layer, inputs: functional(LocalAttention(DotScore(), layer, half_width=1), inputs),
        ATTENDED,
        {},
    ),
    PredictiveWindow: Specimen(
        lambda **kwargs: PredictiveWindow(6, kernel_initializer=normal(), **kwargs),
        lambda layer, inputs: functional(LocalAttention(DotScore(), layer, half_width=1), inputs),
        ATTENDED,
        PREDICTIVE_WINDOW,
    ),
    GatedUnit: Specimen(
        lambda **kwargs: GatedUnit(3, kernel_initializer=normal(), recurrent_initializer=normal(), **kwargs),
        recurrent,
        SEQUENCES,
        GATED_UNIT,
    ),
    LSTMUnit: Specimen(
        lambda **kwargs: LSTMUnit(3, kernel_initializer=normal(), **kwargs),
        recurrent,
        SEQUENCES,
        {"kernel": (4, 12), "recurrent_kernel": (3, 12)},
    ),
    MaxoutReadout: Specimen(
        lambda **kwargs: MaxoutReadout(3, projection=7, dropout=0.1, kernel_initializer=normal(), **kwargs),
        functional,
        {"state": random(8, 4), "embedding": random(8, 2), "context": random(8, 5)},
        MAXOUT_READOUT,
    ),
    SampledSoftmaxOutput: Specimen(
        lambda **kwargs: SampledSoftmaxOutput(
            9, LogUniformSampling(4), bias=False, label_smoothing=0.1, kernel_initializer=normal(), **kwargs
        ),
        functional,
        {"features": random(2, 3, 4)},
        {"kernel": (9, 4)},
    ),
    SoftmaxOutput: Specimen(
        lambda **kwargs: SoftmaxOutput(9, bias=False, label_smoothing=0.1, kernel_initializer=normal(), **kwargs),
        functional,
        {"features": random(2, 3, 4)},
        {"kernel": (9, 4)},
    ),
    WordEmbedding: Specimen(
        lambda **kwargs: WordEmbedding(
            12, 3, bias=False, dropout=0.1, silent_symbols=(1,), initializer=normal(), **kwargs
        ),
        functional,
        {"ids": SOURCE_IDS},
        {"table": (12, 3)},
    ),
    UnidirectionalEncoder: Specimen(
        lambda **kwargs: UnidirectionalEncoder(12, 4, 3, **gated_encoder_options(), **kwargs),
        encoding,
        SOURCES,
        GATED_ENCODER,
    ),
    BidirectionalEncoder: Specimen(
        lambda **kwargs: BidirectionalEncoder(12, 4, 3, **gated_encoder_options(), **kwargs),
        encoding,
        SOURCES,
        {**GATED_ENCODER, **within("backward_unit", GATED_UNIT)},
    ),
    StackedLSTMEncoder: Specimen(
        lambda **kwargs: StackedLSTMEncoder(
            12,
            4,
            3,
            layers=2,
            reverse_source=False,
            dropout=0.1,
            kernel_initializer=normal(),
            append_end=True,
            **kwargs,
        ),
        encoding,
        SOURCES,
        {
            "embedding/table": (12, 4),
            "unit_0/kernel": (4, 12),
            "unit_0/recurrent_kernel": (3, 12),
            "unit_1/kernel": (3, 12),
            "unit_1/recurrent_kernel": (3, 12),
        },
    ),
    BahdanauDecoder: Specimen(
        lambda **kwargs: BahdanauDecoder(
            11,
            4,
            3,
            attention=FixedContext(),
            readout=MaxoutReadout(2, kernel_initializer=normal(), name="readout"),
            step_order="main-text",
            embedding_dropout=0.1,
            kernel_initializer=normal(),
            **kwargs,
        ),
        decoding(lambda: UnidirectionalEncoder(12, 4, 3, kernel_initializer=normal())),
        PAIR,
        {
            "embedding/table": (11, 4),
            "embedding/bias": (4,),
            **within("unit", GATED_UNIT),
            "context_kernel": (3, 9),
            "initial_kernel": (3, 3),
            "initial_bias": (3,),
            "readout/state_kernel": (3, 4),
            "readout/embedding_kernel": (4, 4),
            "readout/context_kernel": (3, 4),
            "readout/bias": (4,),
        },
    ),
    LuongDecoder: Specimen(
        lambda **kwargs: LuongDecoder(
            11,
            4,
            3,
            layers=2,
            attention=GlobalAttention(DotScore()),
            input_feeding=True,
            dropout=0.1,
            kernel_initializer=normal(),
            **kwargs,
        ),
        decoding(lambda: StackedLSTMEncoder(12, 4, 3, layers=2, kernel_initializer=normal())),
        PAIR,
        {
            "embedding/table": (11, 4),
            "unit_0/kernel": (4, 12),
            "unit_0/recurrent_kernel": (3, 12),
            "unit_1/kernel": (3, 12),
            "unit_1/recurrent_kernel": (3, 12),
            "feeding_kernel": (3, 12),
            "context_kernel": (3, 3),
            "state_kernel": (3, 3),
        },
    ),
    EncoderDecoder: Specimen(
        lambda **kwargs: EncoderDecoder(
            TransformerEncoder(12, 4, layers=1, heads=2, head_size=3, feed_forward_units=7, name="encoder"),
            TransformerDecoder(12, 4, layers=1, heads=2, head_size=3, feed_forward_units=7, name="decoder"),
            SoftmaxOutput(12, name="output"),
            share_target_embedding=True,
            share_source_embedding=True,
            **kwargs,
        ),
        itself,
        PAIR,
        {
            "encoder/embedding/table": (12, 4),
            **within("encoder/layer_0", transformer_specimens.ENCODER_LAYER),
            **within("decoder/layer_0", transformer_specimens.DECODER_LAYER),
            "output/bias": (12,),
        },
    ),
    **gehring_specimens.SPECIMENS,
    **one_to_many_specimens.SPECIMENS,
    **transformer_specimens.SPECIMENS,
}
