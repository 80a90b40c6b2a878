"""Decoders: `[model.decoder]`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import PositiveInt

from tfnmt.zoo.parts.attention import Attention
from tfnmt.zoo.parts.initializers import Initializer
from tfnmt.zoo.parts.readouts import Readout
from tfnmt.zoo.table import Part, Share


class Decoder(Part):
    """From the memory and the words so far to the features of the next word."""

    given: ClassVar[Mapping[str, str]] = {"vocabulary_size": "target_vocabulary_size"}


class BahdanauDecoder(Decoder):
    """A gated recurrent layer that reads a context beside each word (Bahdanau et al. 2015)."""

    builds = "tfnmt.models.bahdanau_decoder:BahdanauDecoder"
    kind: Literal["bahdanau"] = "bahdanau"
    embedding_size: PositiveInt
    """Width of the word embeddings."""
    units: PositiveInt
    """Width of the recurrent layer."""
    attention: Attention
    readout: Readout
    step_order: Literal["groundhog", "main-text"] = "groundhog"
    """Which state and which word meet; the paper's text and its authors' code differ."""
    embedding_dropout: Share = 0.0
    """Share of the word vectors' components set to zero in training."""
    kernel_initializer: Initializer | None = None


class LuongDecoder(Decoder):
    """A stack of LSTM layers, attention above it (Luong et al. 2015)."""

    builds = "tfnmt.models.luong_decoder:LuongDecoder"
    kind: Literal["luong"] = "luong"
    embedding_size: PositiveInt
    """Width of the word embeddings."""
    units: PositiveInt
    """Width of each layer, and of the attentional state."""
    layers: PositiveInt = 4
    """Layers of the stack, as many as the encoder's."""
    attention: Attention | None = None
    """Without it, the system without attention."""
    input_feeding: bool = False
    """Whether the first layer reads the last attentional state beside the word."""
    dropout: Share = 0.0
    """Share of each layer's inputs set to zero in training."""
    kernel_initializer: Initializer | None = None


class TransformerDecoder(Decoder):
    """A stack of layers that look back at the words so far and at the source (Vaswani et al. 2017)."""

    builds = "tfnmt.models.transformer_decoder:TransformerDecoder"
    kind: Literal["transformer"] = "transformer"
    units: PositiveInt = 512
    """Width of the word embeddings and of each layer, the same as the encoder's."""
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
    alignment_layer: int = -1
    """The layer whose attention, the mean over its heads, aligns words; -1 is the last."""
    kernel_initializer: Initializer | None = None


class GehringDecoder(Decoder):
    """LSTM layers that read the last word and a context beside it (Gehring et al. 2016)."""

    builds = "tfnmt.models.gehring_decoder:GehringDecoder"
    kind: Literal["gehring"] = "gehring"
    embedding_size: PositiveInt
    """Width of the word embeddings, of the queries and of what the output layer reads."""
    units: PositiveInt
    """Width of each layer."""
    attention: Attention
    layers: PositiveInt = 1
    """Layers of the stack."""
    embedding_dropout: Share = 0.0
    """Share of the word vectors' components set to zero in training."""
    output_dropout: Share = 0.0
    """The same of the last layer's outputs."""
    kernel_initializer: Initializer | None = None
