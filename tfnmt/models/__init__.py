"""Encoders and decoders composed of layers, and the network that joins them."""

import keras  # noqa: F401  (first: its import registers every class of the package, see tfnmt/__init__.py)

from tfnmt.models.bahdanau_decoder import BahdanauDecoder
from tfnmt.models.combination import MeanOfLogits, MeanOfLogProbabilities, MeanOfProbabilities
from tfnmt.models.convolutional_encoder import ConvolutionalEncoder
from tfnmt.models.encoder_decoder import EncoderDecoder
from tfnmt.models.ensemble import Ensemble
from tfnmt.models.gated_encoder import BidirectionalEncoder, UnidirectionalEncoder
from tfnmt.models.gehring_decoder import GehringDecoder
from tfnmt.models.luong_decoder import LuongDecoder
from tfnmt.models.memory import Memory
from tfnmt.models.multi_task_network import MultiTaskNetwork
from tfnmt.models.pooling_encoder import PoolingEncoder
from tfnmt.models.stacked_encoder import StackedLSTMEncoder
from tfnmt.models.transformer_decoder import TransformerDecoder
from tfnmt.models.transformer_encoder import TransformerEncoder
from tfnmt.models.value_network import ValueNetwork

__all__ = [
    "BahdanauDecoder",
    "BidirectionalEncoder",
    "ConvolutionalEncoder",
    "EncoderDecoder",
    "Ensemble",
    "GehringDecoder",
    "LuongDecoder",
    "MeanOfLogProbabilities",
    "MeanOfLogits",
    "MeanOfProbabilities",
    "Memory",
    "MultiTaskNetwork",
    "PoolingEncoder",
    "StackedLSTMEncoder",
    "TransformerDecoder",
    "TransformerEncoder",
    "UnidirectionalEncoder",
    "ValueNetwork",
]
