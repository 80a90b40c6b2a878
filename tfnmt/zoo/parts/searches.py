"""Search: `[decoding.search]`."""

from __future__ import annotations

from typing import Literal

from pydantic import NonNegativeFloat, NonNegativeInt, PositiveFloat

from tfnmt.zoo.table import Part


class Search(Part):
    """How a trained network is asked for its translations."""


class BeamSearch(Search):
    """Beam search over log-probabilities."""

    builds = "tfnmt.decoding.beam_search:BeamSearch"
    kind: Literal["beam"] = "beam"
    length_normalization: NonNegativeFloat = 1.0
    """The exponent of the length that a hypothesis's log-probability is divided by."""
    maximum_length_factor: PositiveFloat = 2.0
    """Target words a source word a translation may have at most,"""
    maximum_length_constant: NonNegativeInt = 10
    """and this many more."""
    minimum_length_factor: NonNegativeFloat = 0.0
    """Target words a source word below which no translation ends."""
    forbid_unknown: bool = False
    """Whether the unknown symbol may not be produced."""
