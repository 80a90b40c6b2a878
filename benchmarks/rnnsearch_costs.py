"""What RNNsearch necessarily costs, counted from its equations."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.joey_nmt import Sizes


@dataclass(frozen=True)
class Costs:
    """Floating-point operations of RNNsearch with a plain maxout read-out, for sentences of mean length.

    Only products count (two operations for each multiplication and addition), only real words, and the end symbol that
    each side reads or predicts; element-wise work, padding and the optimizer do not. The backward pass has two products
    for each of the forward pass. Products with the attention weights are counted at the mean source length, which
    understates them slightly.

    Args:
        sizes: embedding and units.
        readout: maxout features, and features of the projection behind them.
        vocabulary: target words.
        source_words: mean of a sentence, without the end symbol.
        target_words: the same.
    """

    sizes: Sizes
    readout: int
    vocabulary: int
    source_words: float
    target_words: float

    @property
    def forward(self) -> float:
        """Of one sentence pair, divided by its target words."""
        embedding, units = self.sizes.embedding, self.sizes.units
        source, target = self.source_words + 1, self.target_words + 1
        annotation = 2 * units
        encoder = 2 * 3 * (embedding + units) * units + annotation * units  # both directions, and the keys
        unit = 3 * (embedding + units + annotation) * units
        attention = units * units + source * (units + annotation)
        readout = (units + embedding + annotation) * 2 * self.readout + self.readout * (self.readout + self.vocabulary)
        return 2 * (source * encoder + target * (unit + attention + readout)) / self.target_words

    @property
    def training(self) -> float:
        """Forward and backward, a target word."""
        return 3 * self.forward
