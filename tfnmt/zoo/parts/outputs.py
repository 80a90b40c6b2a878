"""Output layers: `[model.output]`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from tfnmt.zoo.parts.initializers import Initializer
from tfnmt.zoo.parts.sampling import Sampling
from tfnmt.zoo.table import Part, Share


class Output(Part):
    """From the decoder's features to the probabilities of the words."""

    @property
    def loss_name(self) -> str | None:
        """What the training loss is called where it is not the negative log-likelihood."""
        return None


class SoftmaxOutput(Output):
    """The exact softmax over the whole vocabulary."""

    builds = "tfnmt.layers.softmax_output:SoftmaxOutput"
    given: ClassVar[Mapping[str, str]] = {"vocabulary_size": "target_vocabulary_size"}
    kind: Literal["softmax"] = "softmax"
    bias: bool = True
    label_smoothing: Share = 0.0
    """Probability that training spreads over all other words."""
    kernel_initializer: Initializer | None = None

    @property
    def loss_name(self) -> str | None:
        return "smoothed loss" if self.label_smoothing else None


class SampledSoftmaxOutput(Output):
    """The softmax over a very large vocabulary, trained on a few of its words at a time (Jean et al. 2015)."""

    builds = "tfnmt.layers.sampled_softmax_output:SampledSoftmaxOutput"
    given: ClassVar[Mapping[str, str]] = {"vocabulary_size": "target_vocabulary_size"}
    kind: Literal["sampled_softmax"] = "sampled_softmax"
    sampling: Sampling | None = None
    """Which words; without it, those of parts of the corpus with 30,000 words each."""
    bias: bool = True
    label_smoothing: Share = 0.0
    """Probability that training spreads over the other words of the sample."""
    kernel_initializer: Initializer | None = None

    @property
    def loss_name(self) -> str | None:
        return "sampled loss"
