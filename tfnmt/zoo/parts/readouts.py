"""Read-outs: `[model.decoder.readout]`."""

from __future__ import annotations

from typing import Literal

from pydantic import PositiveInt

from tfnmt.zoo.parts.initializers import Initializer
from tfnmt.zoo.table import Part, Share


class Readout(Part):
    """From the decoder's state, context and last word to the features of the output layer."""


class MaxoutReadout(Readout):
    """Deep output with one maxout layer (Bahdanau et al. 2015, appendix A.2.2)."""

    builds = "tfnmt.layers.maxout_readout:MaxoutReadout"
    kind: Literal["maxout"] = "maxout"
    units: PositiveInt
    """Maxout units, each the larger of two."""
    projection: PositiveInt | None = None
    """Width of a linear layer after the maxout, which factors the output matrix (GroundHog: 620)."""
    dropout: Share = 0.0
    """Share of the features set to zero in training."""
    kernel_initializer: Initializer | None = None
