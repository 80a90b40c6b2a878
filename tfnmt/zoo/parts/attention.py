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


class DotScore(Score):
    """The product of the two (Luong et al. 2015, equation 8)."""

    builds = "tfnmt.layers.dot_score:DotScore"
    kind: Literal["dot"] = "dot"


class ScaledDotScore(Score):
    """The product of the two over the root of their size (Vaswani et al. 2017, equation 1)."""

    builds = "tfnmt.layers.scaled_dot_score:ScaledDotScore"
    kind: Literal["scaled_dot"] = "scaled_dot"


class GeneralScore(Score):
    """The product of the two with a matrix between them (Luong et al. 2015, equation 8)."""

    builds = "tfnmt.layers.general_score:GeneralScore"
    kind: Literal["general"] = "general"
    kernel_initializer: Initializer | None = None


class ConcatScore(Score):
    """A hidden layer over both (Luong et al. 2015, equation 8)."""

    builds = "tfnmt.layers.concat_score:ConcatScore"
    kind: Literal["concat"] = "concat"
    identity: bool = True
    """Whether the annotation enters as it is, as in the paper's runs (footnote 15)."""
    units: PositiveInt | None = None
    """Width of the hidden layer; without it, that of an annotation."""
    kernel_initializer: Initializer | None = None


class LocationScore(Score):
    """The query alone says where to look (Luong et al. 2015, equation 9)."""

    builds = "tfnmt.layers.location_score:LocationScore"
    kind: Literal["location"] = "location"
    positions: PositiveInt = 50
    """How many words of a sentence can be looked at, from its beginning."""
    kernel_initializer: Initializer | None = None


class Window(Part):
    """Where a local attention looks: `[model.decoder.attention.window]`."""


class MonotonicWindow(Window):
    """local-m: around the source word of the target word's own number (Luong et al. 2015, section 3.2)."""

    builds = "tfnmt.layers.window:MonotonicWindow"
    kind: Literal["monotonic"] = "monotonic"


class PredictiveWindow(Window):
    """local-p: around a position that the model predicts (Luong et al. 2015, equations 9 and 10)."""

    builds = "tfnmt.layers.window:PredictiveWindow"
    kind: Literal["predictive"] = "predictive"
    units: PositiveInt
    """Width of the prediction's hidden layer."""
    kernel_initializer: Initializer | None = None


class Attention(Part):
    """Which annotations the decoder looks at, and how much."""


class GlobalAttention(Attention):
    """All of them, by the softmax of a score."""

    builds = "tfnmt.layers.global_attention:GlobalAttention"
    kind: Literal["global"] = "global"
    score: Score


class LocalAttention(Attention):
    """Those in a window, by the softmax of a score inside it (Luong et al. 2015, section 3.2)."""

    builds = "tfnmt.layers.local_attention:LocalAttention"
    kind: Literal["local"] = "local"
    score: Score
    window: Window
    half_width: PositiveInt = 10
    """How many words the window reaches to either side of its middle."""


class FixedContext(Attention):
    """None: the encoder's summary is the context of each word (RNNencdec)."""

    builds = "tfnmt.layers.fixed_context:FixedContext"
    kind: Literal["none"] = "none"


class MultiHeadAttention(Attention):
    """All of them, by several heads (Vaswani et al. 2017)."""

    builds = "tfnmt.layers.multi_head_attention:MultiHeadAttention"
    kind: Literal["multi_head"] = "multi_head"
    heads: PositiveInt
    """How many."""
    head_size: PositiveInt
    """Width of a head's queries, keys and values."""
    kernel_initializer: Initializer | None = None
