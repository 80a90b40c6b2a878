"""Orders of the training text: `[corpus.batches.order]`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from tfnmt.zoo.table import Part


class Order(Part):
    """In which order the pairs of an epoch are learnt from."""

    given: ClassVar[Mapping[str, str]] = {"seed": "seed"}


class ShuffledEachEpoch(Order):
    """Another order each epoch."""

    builds = "tfnmt.corpora.order:ShuffledEachEpoch"
    kind: Literal["shuffled_each_epoch"] = "shuffled_each_epoch"


class ShuffledOnce(Order):
    """The same order each epoch (Bahdanau et al. 2015, appendix B.2)."""

    builds = "tfnmt.corpora.order:ShuffledOnce"
    kind: Literal["shuffled_once"] = "shuffled_once"
