"""Sampling strategies: `[model.output.sampling]`."""

from __future__ import annotations

from typing import Literal

from pydantic import NonNegativeInt, PositiveInt

from tfnmt.zoo.table import Part


class Sampling(Part):
    """Which words the training loss of a sampled output is over."""


class PartitionSampling(Sampling):
    """The words of a part of the corpus while it is learnt from (Jean et al. 2015)."""

    builds = "tfnmt.layers.sampling:PartitionSampling"
    kind: Literal["partition"] = "partition"
    size: PositiveInt = 30_000
    """Most target words of a part (the paper's tau)."""


class ImportanceSampling(Sampling):
    """A number of words drawn for each minibatch, their probabilities corrected for."""

    size: PositiveInt = 8192
    """Words drawn."""
    seed: NonNegativeInt = 0


class LogUniformSampling(ImportanceSampling):
    """Words drawn by their rank, as if by Zipf's law."""

    builds = "tfnmt.layers.sampling:LogUniformSampling"
    kind: Literal["log_uniform"] = "log_uniform"


class UnigramSampling(ImportanceSampling):
    """Words drawn as often as the training text has them."""

    builds = "tfnmt.layers.sampling:UnigramSampling"
    kind: Literal["unigram"] = "unigram"
