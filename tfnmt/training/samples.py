"""Fixed held-out sentences that are translated at each validation, to be looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tfnmt.decoding.alignment import Alignment
from tfnmt.decoding.translator import Translator


class Sample(NamedTuple):
    """One sentence as it is translated now."""

    source: str
    hypothesis: str
    reference: str
    alignment: Alignment


class Samples:
    """Translates the same sentences whenever it is called.

    Args:
        translator: holds the network that is trained.
        sources: the sentences.
        references: their translations by people.
        beam_size: of the search; 1 is quick.
    """

    def __init__(
        self, translator: Translator, sources: Sequence[str], references: Sequence[str], beam_size: int = 1
    ) -> None:
        self.translator = translator
        self.sources = list(sources)
        self.references = list(references)
        self.beam_size = beam_size

    def __call__(self) -> list[Sample]:
        hypotheses = map(str, self.translator.translate(self.sources, beam_size=self.beam_size))
        alignments = self.translator.align(self.sources, beam_size=self.beam_size)
        return [Sample(*row) for row in zip(self.sources, hypotheses, self.references, alignments, strict=True)]
