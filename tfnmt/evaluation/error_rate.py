"""Alignment error rate (Och and Ney 2003), the measure of table 6 of Luong et al. (2015)."""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from typing import NamedTuple

from tfnmt.errors import UserError
from tfnmt.evaluation.links import GoldLinks, Link


class AlignmentQuality(NamedTuple):
    """How links A agree with people's sure and possible ones, over a whole corpus.

    Attributes:
        precision: `|A and Possible| / |A|`.
        recall: `|A and Sure| / |Sure|`.
        error_rate: `1 - (|A and Sure| + |A and Possible|) / (|A| + |Sure|)`; lower is better.
        links: `|A|`.
        sure: `|Sure|`.
        possible: `|Possible|`, the sure ones among them.
    """

    precision: float
    recall: float
    error_rate: float
    links: int
    sure: int
    possible: int


def alignment_quality(hypotheses: Sequence[Set[Link]], gold: Sequence[GoldLinks]) -> AlignmentQuality:
    """Precision, recall and error rate of the links of a corpus.

    Args:
        hypotheses: A, the links found in each sentence pair.
        gold: the sure and possible links of each sentence pair, in the same order.

    Returns:
        Rates from 0 to 1, not-a-number where there is nothing to count.

    Raises:
        UserError: the two sides differ in their number of sentence pairs.
    """
    if len(hypotheses) != len(gold):
        raise UserError(
            f"There are {len(hypotheses)} alignments but {len(gold)} lines of gold links. "
            "Line n of one belongs to line n of the other."
        )
    right_and_sure = sum(len(links & pair.sure) for links, pair in zip(hypotheses, gold, strict=True))
    right = sum(len(links & pair.possible) for links, pair in zip(hypotheses, gold, strict=True))
    links, sure = sum(map(len, hypotheses)), sum(len(pair.sure) for pair in gold)
    return AlignmentQuality(
        precision=_share(right, links),
        recall=_share(right_and_sure, sure),
        error_rate=1.0 - _share(right_and_sure + right, links + sure),
        links=links,
        sure=sure,
        possible=sum(len(pair.possible) for pair in gold),
    )


def alignment_error_rate(hypotheses: Sequence[Set[Link]], gold: Sequence[GoldLinks]) -> float:
    """The error rate of `alignment_quality` alone; its arguments and errors."""
    return alignment_quality(hypotheses, gold).error_rate


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan
