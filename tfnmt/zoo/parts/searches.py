"""Search: `[decoding.search]`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PlainValidator, PositiveFloat, PositiveInt, TypeAdapter

from tfnmt.zoo.table import Part

_NUMBER = TypeAdapter(NonNegativeFloat)


class Normalization(Part):
    """How hypotheses of different lengths are compared: `[decoding.search.length_normalization]`."""

    exponent: NonNegativeFloat = 1.0


class LengthNormalization(Normalization):
    """A power of the length; what a plain number says, too."""

    builds = "tfnmt.decoding.length_normalization:LengthNormalization"
    kind: Literal["length"] = "length"


class GNMTLengthNormalization(Normalization):
    """A power of `(5 + length) / 6` (Wu et al. 2016, equation 14)."""

    builds = "tfnmt.decoding.length_normalization:GNMTLengthNormalization"
    kind: Literal["gnmt"] = "gnmt"


def _number_or_rule(value: Any) -> float | Normalization:
    if isinstance(value, Mapping | Normalization):
        return Normalization.model_validate(value)
    return _NUMBER.validate_python(value)


NumberOrRule = Annotated[NonNegativeFloat | Normalization, PlainValidator(_number_or_rule)]
"""A number, or a table with the `kind` of a rule. Which of the two was meant decides what an error says."""


class Search(Part):
    """How a trained network is asked for its translations."""


class BeamSearch(Search):
    """Beam search over log-probabilities."""

    builds = "tfnmt.decoding.beam_search:BeamSearch"
    kind: Literal["beam"] = "beam"
    length_normalization: NumberOrRule = 1.0
    """The exponent of the length that a hypothesis's log-probability is divided by; or a table with another rule."""
    maximum_length_factor: PositiveFloat = 2.0
    """Target words a source word a translation may have at most,"""
    maximum_length_constant: NonNegativeInt = 10
    """and this many more."""
    minimum_length_factor: NonNegativeFloat = 0.0
    """Target words a source word below which no translation ends."""
    forbid_unknown: bool = False
    """Whether the unknown symbol may not be produced."""


class ValueGuidedSearch(BeamSearch):
    """Beam search over log-probabilities and the values of a value network (He et al. 2017)."""

    builds = "tfnmt.decoding.value_guided_search:ValueGuidedSearch"
    kind: Literal["value_guided"] = "value_guided"  # type: ignore[assignment]  # a part is found by its own kind
    alpha: Annotated[float, Field(ge=0, le=1)] = 0.85
    """Share of the log-probability in the score; 1 is beam search."""
    shortlist: PositiveInt = 2
    """Continuations for each place in the beam that are asked for their value."""
