"""Networks: `[model]`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import PositiveInt

from tfnmt.zoo.parts.decoders import Decoder
from tfnmt.zoo.parts.encoders import Encoder
from tfnmt.zoo.parts.initializers import Initializer
from tfnmt.zoo.parts.outputs import Output
from tfnmt.zoo.table import Part


class Model(Part):
    """The network between source ids and target ids.

    Attributes:
        prepared_by: `module:function` that makes a run ready which trains it.
    """

    prepared_by: ClassVar[str] = "tfnmt.zoo.translation_run:prepare"

    @property
    def loss_name(self) -> str | None:
        """What the training loss is called where it is not the negative log-likelihood."""
        return None


class EncoderDecoder(Model):
    """One encoder, one decoder, one output layer."""

    builds = "tfnmt.models.encoder_decoder:EncoderDecoder"
    kind: Literal["encoder_decoder"] = "encoder_decoder"
    encoder: Encoder
    decoder: Decoder
    output: Output
    share_target_embedding: bool = False
    """Whether the output layer's matrix is the table of the target words' vectors."""
    share_source_embedding: bool = False
    """Whether source words are read by that table, too, which needs a joint vocabulary."""

    @property
    def loss_name(self) -> str | None:
        return self.output.loss_name


class Comparison(Part):
    """A module of a value network: one hidden layer over two vectors."""

    units: PositiveInt
    """Width of the layer."""
    kernel_initializer: Initializer | None = None


class SemanticMatching(Comparison):
    """What a prefix says against the part of the source that was looked at (He et al. 2017)."""

    builds = "tfnmt.layers.semantic_matching:SemanticMatching"
    kind: Literal["semantic_matching"] = "semantic_matching"


class ContextCoverage(Comparison):
    """The part of the source that was looked at against the whole (He et al. 2017)."""

    builds = "tfnmt.layers.context_coverage:ContextCoverage"
    kind: Literal["context_coverage"] = "context_coverage"


class ValueNetwork(Model):
    """A trained RNNsearch, the one that the recipe starts from, and a judge of its prefixes (He et al. 2017)."""

    builds = "tfnmt.models.value_network:ValueNetwork"
    given: ClassVar[Mapping[str, str]] = {"policy": "policy"}
    prepared_by: ClassVar[str] = "tfnmt.zoo.value_run:prepare"
    kind: Literal["value_network"] = "value_network"
    semantic_matching: SemanticMatching
    context_coverage: ContextCoverage

    @property
    def loss_name(self) -> str | None:
        return "ranking loss"
