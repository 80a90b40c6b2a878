"""Alignment error rate (Och and Ney 2003), the measure of table 6 of Luong et al. (2015)."""

from __future__ import annotations

import math
from collections.abc import Sequence, Set

from tfnmt.errors import UserError
from tfnmt.evaluation.links import GoldLinks, Link


def alignment_error_rate(hypotheses: Sequence[Set[Link]], gold: Sequence[GoldLinks]) -> float:
    """`1 - (|A and Sure| + |A and Possible|) / (|A| + |Sure|)` over the links of a whole corpus; lower is better.

    Args:
        hypotheses: A, the links found in each sentence pair.
        gold: the sure and possible links of each sentence pair, in the same order.

    Returns:
        From 0 to 1; not-a-number if neither side has a link.

    Raises:
        UserError: the two sides differ in their number of sentence pairs.
    """
    if len(hypotheses) != len(gold):
        raise UserError(
            f"There are {len(hypotheses)} alignments but {len(gold)} lines of gold links. "
            "Line n of one belongs to line n of the other."
        )
    matched = sum(
        len(links & pair.sure) + len(links & pair.possible) for links, pair in zip(hypotheses, gold, strict=True)
    )
    total = sum(len(links) + len(pair.sure) for links, pair in zip(hypotheses, gold, strict=True))
    return 1.0 - matched / total if total else math.nan
