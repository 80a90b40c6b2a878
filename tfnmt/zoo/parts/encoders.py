"""Encoders: `[model.encoder]`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import PositiveInt

from tfnmt.zoo.parts.initializers import Initializer
from tfnmt.zoo.table import Part, Share


class Encoder(Part):
    """From source ids to annotations."""

    given: ClassVar[Mapping[str, str]] = {"vocabulary_size": "source_vocabulary_size"}


class GatedEncoder(Encoder):
    """An encoder of gated recurrent units (Bahdanau et al. 2015)."""

    embedding_size: PositiveInt
    """Width of the word embeddings."""
    units: PositiveInt
    """Width of the recurrent layer, of each direction."""
    embedding_dropout: Share = 0.0
    """Share of the word vectors' components set to zero in training."""
    annotation_dropout: Share = 0.0
    """The same of the annotations."""
    kernel_initializer: Initializer | None = None
    append_end: bool = True
    """Whether the encoder reads an end symbol after the words."""


class BidirectionalEncoder(GatedEncoder):
    """RNNsearch's: a gated recurrent layer each way."""

    builds = "tfnmt.models.gated_encoder:BidirectionalEncoder"
    kind: Literal["bidirectional"] = "bidirectional"


class UnidirectionalEncoder(GatedEncoder):
    """RNNencdec's: one gated recurrent layer."""

    builds = "tfnmt.models.gated_encoder:UnidirectionalEncoder"
    kind: Literal["unidirectional"] = "unidirectional"


class StackedLSTMEncoder(Encoder):
    """A unidirectional stack of LSTM layers (Luong et al. 2015)."""

    builds = "tfnmt.models.stacked_encoder:StackedLSTMEncoder"
    kind: Literal["stacked_lstm"] = "stacked_lstm"
    embedding_size: PositiveInt
    """Width of the word embeddings."""
    units: PositiveInt
    """Width of each layer."""
    layers: PositiveInt = 4
    """Layers of the stack."""
    reverse_source: bool = True
    """Whether the words are read from the last to the first."""
    dropout: Share = 0.0
    """Share of each layer's inputs set to zero in training."""
    kernel_initializer: Initializer | None = None
    append_end: bool = False
    """Whether the encoder reads an end symbol after the words."""


class TransformerEncoder(Encoder):
    """A stack of self-attention layers (Vaswani et al. 2017)."""

    builds = "tfnmt.models.transformer_encoder:TransformerEncoder"
    kind: Literal["transformer"] = "transformer"
    units: PositiveInt = 512
    """Width of the word embeddings and of each layer."""
    layers: PositiveInt = 6
    """Layers of the stack."""
    heads: PositiveInt = 8
    """Heads of each attention."""
    head_size: PositiveInt = 64
    """Width of a head's queries, keys and values."""
    feed_forward_units: PositiveInt = 2048
    """Width of the inner layer of each feed-forward network."""
    dropout: Share = 0.1
    """Share of what each sub-layer gives, and of the sum of word and position, set to zero in training."""
    kernel_initializer: Initializer | None = None
    append_end: bool = True
    """Whether the encoder reads an end symbol after the words."""


class PositionedEncoder(Encoder):
    """An encoder that sees all words at once (Gehring et al. 2016)."""

    embedding_size: PositiveInt = 256
    """Width of the word embeddings and of the annotations."""
    positions: PositiveInt = 1024
    """Positions that have a vector of their own."""
    embedding_dropout: Share = 0.0
    """Share of the vectors' components set to zero in training."""
    kernel_initializer: Initializer | None = None
    append_end: bool = True
    """Whether the encoder reads an end symbol after the words."""


class PoolingEncoder(PositionedEncoder):
    """Means of neighbouring words are scored, the words themselves summed."""

    builds = "tfnmt.models.pooling_encoder:PoolingEncoder"
    kind: Literal["pooling"] = "pooling"
    width: PositiveInt = 5
    """How many words a mean is of; odd."""


class ConvolutionalEncoder(PositionedEncoder):
    """Two stacks of convolutions: one makes what is scored, one what is summed."""

    builds = "tfnmt.models.convolutional_encoder:ConvolutionalEncoder"
    kind: Literal["convolutional"] = "convolutional"
    score_layers: PositiveInt = 6
    """Convolutions of CNN-a, whose output is scored."""
    score_units: PositiveInt = 512
    """Width of CNN-a."""
    value_layers: PositiveInt = 3
    """Convolutions of CNN-c, whose output is summed."""
    width: PositiveInt = 3
    """How many words a convolution sees; odd."""
