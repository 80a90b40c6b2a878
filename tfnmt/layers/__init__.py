"""Keras layers that stand alone: recurrent units, attention, read-outs, outputs."""

import keras  # noqa: F401  (first: its import registers every class of the package, see tfnmt/__init__.py)

from tfnmt.layers.additive_score import AdditiveScore
from tfnmt.layers.fixed_context import FixedContext
from tfnmt.layers.gated_unit import GatedUnit
from tfnmt.layers.global_attention import GlobalAttention
from tfnmt.layers.initializers import BlockInitializer
from tfnmt.layers.maxout_readout import MaxoutReadout
from tfnmt.layers.softmax_output import SoftmaxOutput
from tfnmt.layers.word_embedding import WordEmbedding

__all__ = [
    "AdditiveScore",
    "BlockInitializer",
    "FixedContext",
    "GatedUnit",
    "GlobalAttention",
    "MaxoutReadout",
    "SoftmaxOutput",
    "WordEmbedding",
]
