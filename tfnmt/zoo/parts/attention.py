"""Attention: `[model.decoder.attention]`, a window over the source with a score inside."""

from __future__ import annotations

from typing import Literal

from pydantic import PositiveInt

from tfnmt.zoo.parts.initializers import Initializer
from tfnmt.zoo.table import Part


class Score(Part):
    """How well a query and an annotation match."""


class AdditiveScore(Score):
    """The alignment model of Bahdanau et al. 2015."""

    builds = "tfnmt.layers.additive_score:AdditiveScore"
    kind: Literal["additive"] = "additive"
    units: PositiveInt
    """Width of the alignment model's hidden layer."""
    kernel_initializer: Initializer | None = None


class Attention(Part):
    """Which annotations the decoder looks at, and how much."""


class GlobalAttention(Attention):
    """All of them, by the softmax of a score."""

    builds = "tfnmt.layers.global_attention:GlobalAttention"
    kind: Literal["global"] = "global"
    score: Score


class FixedContext(Attention):
    """None: the encoder's summary is the context of each word (RNNencdec)."""

    builds = "tfnmt.layers.fixed_context:FixedContext"
    kind: Literal["none"] = "none"
