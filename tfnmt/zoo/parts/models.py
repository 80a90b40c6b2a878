"""Networks: `[model]`."""

from __future__ import annotations

from typing import Literal

from tfnmt.zoo.parts.decoders import Decoder
from tfnmt.zoo.parts.encoders import Encoder
from tfnmt.zoo.parts.outputs import Output
from tfnmt.zoo.table import Part


class Model(Part):
    """The network between source ids and target ids."""

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

    @property
    def loss_name(self) -> str | None:
        return self.output.loss_name
    share_source_embedding: bool = False
    """Whether source words are read by that table, too, which needs a joint vocabulary."""
