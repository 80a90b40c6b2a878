"""Specimens of the networks around a network: many decoders of one encoder, and a judge of prefixes."""

from __future__ import annotations

from typing import Any

from tests.layers.specimen import PAIR, Specimen, functional, itself, normal, random, within
from tests.models.networks import SOURCE_IDS, TARGET_IDS
from tfnmt.layers.context_coverage import ContextCoverage
from tfnmt.layers.fixed_context import FixedContext
from tfnmt.layers.maxout_readout import MaxoutReadout
from tfnmt.layers.semantic_matching import SemanticMatching
from tfnmt.layers.softmax_output import SoftmaxOutput
from tfnmt.models.bahdanau_decoder import BahdanauDecoder
from tfnmt.models.encoder_decoder import EncoderDecoder
from tfnmt.models.gated_encoder import UnidirectionalEncoder
from tfnmt.models.multi_task_network import MultiTaskNetwork
from tfnmt.models.value_network import ValueNetwork

ENCODER = {
    "embedding/table": (12, 4),
    "embedding/bias": (4,),
    "forward_unit/kernel": (4, 9),
    "forward_unit/gate_kernel": (3, 6),
    "forward_unit/candidate_kernel": (3, 3),
    "forward_unit/bias": (3,),
}
DECODER = {
    "decoder/embedding/table": (11, 4),
    "decoder/embedding/bias": (4,),
    "decoder/unit/kernel": (4, 9),
    "decoder/unit/gate_kernel": (3, 6),
    "decoder/unit/candidate_kernel": (3, 3),
    "decoder/unit/bias": (3,),
    "decoder/context_kernel": (3, 9),
    "decoder/initial_kernel": (3, 3),
    "decoder/initial_bias": (3,),
    "decoder/readout/state_kernel": (3, 4),
    "decoder/readout/embedding_kernel": (4, 4),
    "decoder/readout/context_kernel": (3, 4),
    "decoder/readout/bias": (4,),
    "output/kernel": (11, 2),
    "output/bias": (11,),
}


def network(name: str, **kwargs: Any) -> EncoderDecoder:
    return EncoderDecoder(
        UnidirectionalEncoder(12, 4, 3, kernel_initializer=normal(), name="encoder"),
        BahdanauDecoder(
            11,
            4,
            3,
            attention=FixedContext(),
            readout=MaxoutReadout(2, kernel_initializer=normal(), name="readout"),
            kernel_initializer=normal(),
            name="decoder",
        ),
        SoftmaxOutput(11, kernel_initializer=normal(), name="output"),
        name=name,
        **kwargs,
    )


SPECIMENS: dict[type, Specimen] = {
    SemanticMatching: Specimen(
        lambda **kwargs: SemanticMatching(6, kernel_initializer=normal(), **kwargs),
        functional,
        {"states": random(3, 4), "contexts": random(3, 5, seed=1)},
        {"states_kernel": (4, 6), "contexts_kernel": (5, 6), "bias": (6,)},
    ),
    ContextCoverage: Specimen(
        lambda **kwargs: ContextCoverage(6, kernel_initializer=normal(), **kwargs),
        functional,
        {"contexts": random(3, 4), "annotations": random(3, 5, seed=1)},
        {"contexts_kernel": (4, 6), "annotations_kernel": (5, 6), "bias": (6,)},
    ),
    MultiTaskNetwork: Specimen(
        lambda **kwargs: MultiTaskNetwork({name: network(name) for name in ("de", "fr")}, **kwargs),
        itself,
        (SOURCE_IDS, {"de": TARGET_IDS, "fr": TARGET_IDS[:, :4]}),
        {**within("de/encoder", ENCODER), **within("de", DECODER), **within("fr", DECODER)},
    ),
    ValueNetwork: Specimen(
        lambda **kwargs: ValueNetwork(
            network("policy"),
            SemanticMatching(4, kernel_initializer=normal(), name="matching"),
            ContextCoverage(2, kernel_initializer=normal(), name="coverage"),
            **kwargs,
        ),
        itself,
        PAIR,
        {
            **within("policy/encoder", ENCODER),
            **within("policy", DECODER),
            "matching/states_kernel": (3, 4),
            "matching/contexts_kernel": (3, 4),
            "matching/bias": (4,),
            "coverage/contexts_kernel": (3, 2),
            "coverage/annotations_kernel": (3, 2),
            "coverage/bias": (2,),
            "value/kernel": (6, 1),
            "value/bias": (1,),
        },
    ),
}
