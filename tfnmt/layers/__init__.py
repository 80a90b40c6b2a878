"""Keras layers that stand alone: recurrent units, attention, read-outs, outputs."""

import keras  # noqa: F401  (first: its import registers every class of the package, see tfnmt/__init__.py)

from tfnmt.layers.add_and_normalize import AddAndNormalize
from tfnmt.layers.additive_score import AdditiveScore
from tfnmt.layers.attention import Attention
from tfnmt.layers.concat_score import ConcatScore
from tfnmt.layers.context_coverage import ContextCoverage
from tfnmt.layers.convolution_stack import ConvolutionStack
from tfnmt.layers.dot_score import DotScore
from tfnmt.layers.feed_forward import FeedForward
from tfnmt.layers.fixed_context import FixedContext
from tfnmt.layers.gated_unit import GatedUnit
from tfnmt.layers.general_score import GeneralScore
from tfnmt.layers.global_attention import GlobalAttention
from tfnmt.layers.initializers import BlockInitializer
from tfnmt.layers.learned_positions import LearnedPositions
from tfnmt.layers.local_attention import LocalAttention
from tfnmt.layers.location_score import LocationScore
from tfnmt.layers.lstm_unit import LSTMUnit
from tfnmt.layers.maxout_readout import MaxoutReadout
from tfnmt.layers.multi_head_attention import MultiHeadAttention
from tfnmt.layers.sampled_softmax_output import SampledSoftmaxOutput
from tfnmt.layers.sampling import LogUniformSampling, PartitionSampling, Sampling, UnigramSampling
from tfnmt.layers.scaled_dot_score import ScaledDotScore
from tfnmt.layers.score import Score
from tfnmt.layers.semantic_matching import SemanticMatching
from tfnmt.layers.sinusoidal_positions import SinusoidalPositions
from tfnmt.layers.softmax_output import SoftmaxOutput
from tfnmt.layers.transformer_decoder_layer import TransformerDecoderLayer
from tfnmt.layers.transformer_encoder_layer import TransformerEncoderLayer
from tfnmt.layers.window import MonotonicWindow, PredictiveWindow, Window
from tfnmt.layers.word_embedding import WordEmbedding

__all__ = [
    "AddAndNormalize",
    "AdditiveScore",
    "Attention",
    "BlockInitializer",
    "ConcatScore",
    "ContextCoverage",
    "ConvolutionStack",
    "DotScore",
    "FeedForward",
    "FixedContext",
    "GatedUnit",
    "GeneralScore",
    "GlobalAttention",
    "LSTMUnit",
    "LearnedPositions",
    "LocalAttention",
    "LocationScore",
    "LogUniformSampling",
    "MaxoutReadout",
    "MonotonicWindow",
    "MultiHeadAttention",
    "PartitionSampling",
    "PredictiveWindow",
    "SampledSoftmaxOutput",
    "Sampling",
    "ScaledDotScore",
    "Score",
    "SemanticMatching",
    "SinusoidalPositions",
    "SoftmaxOutput",
    "TransformerDecoderLayer",
    "TransformerEncoderLayer",
    "UnigramSampling",
    "Window",
    "WordEmbedding",
]
