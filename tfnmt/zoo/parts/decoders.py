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
