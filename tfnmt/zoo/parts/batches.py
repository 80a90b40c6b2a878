"""How sentence pairs are put together into minibatches: `[corpus.batches]`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import PositiveInt

from tfnmt.zoo.parts.orders import Order
from tfnmt.zoo.table import Part


class Batching(Part):
    """How minibatches are cut from the shuffled corpus (Bahdanau et al. 2015, appendix B.2)."""

    given: ClassVar[Mapping[str, str]] = {"corpus": "corpus", "seed": "seed"}

    fetch: PositiveInt = 20
    """How many minibatches of pairs are fetched at once and sorted by length."""
    ascending: bool = True
    """Whether those are used from the shortest to the longest, as the paper's code does; else in any order."""
    order: Order | None = None
    """In which order pairs are fetched; without it, another one each epoch."""

    @property
    def typical_sentences(self) -> int:
        """Sentence pairs of a minibatch."""
        raise NotImplementedError


class Sentences(Batching):
    """The same number of sentence pairs in each minibatch."""

    builds = "tfnmt.corpora.batches:Batches"
    kind: Literal["sentences"] = "sentences"
    batch_size: PositiveInt

    @property
    def typical_sentences(self) -> int:
        return self.batch_size


class Tokens(Batching):
    """As many pairs as fit into a number of tokens a side, padding counted."""

    builds = "tfnmt.corpora.batches:Batches"
    kind: Literal["tokens"] = "tokens"
    batch_tokens: PositiveInt

    @property
    def typical_sentences(self) -> int:
        return self.batch_tokens // 25  # as long as sentences of news are on average
