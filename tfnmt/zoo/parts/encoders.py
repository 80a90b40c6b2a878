"""Encoders: `[model.encoder]`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import PositiveInt

from tfnmt.zoo.table import Part


class Encoder(Part):
    """From source ids to annotations."""

    given: ClassVar[Mapping[str, str]] = {"vocabulary_size": "source_vocabulary_size"}

    embedding_size: PositiveInt
    """Width of the word embeddings."""
    units: PositiveInt
    """Width of the recurrent layer, of each direction."""
    dropout: float = 0.0


class BidirectionalEncoder(Encoder):
    """RNNsearch's: a gated recurrent layer each way."""

    builds = "tfnmt.models.bidirectional_encoder:BidirectionalEncoder"
    kind: Literal["bidirectional"] = "bidirectional"


class UnidirectionalEncoder(Encoder):
    """RNNencdec's: one gated recurrent layer."""

    builds = "tfnmt.models.unidirectional_encoder:UnidirectionalEncoder"
    kind: Literal["unidirectional"] = "unidirectional"
