"""Word alignments as sets of links, and the Pharaoh format they are written in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tfnmt.errors import UserError

Link = tuple[int, int]
"""(source word, target word), both counted from 0."""


class GoldLinks(NamedTuple):
    """What people say about one sentence pair.

    Attributes:
        sure: links that a good alignment must have.
        possible: links that a good alignment may have; contains `sure`.
    """

    sure: frozenset[Link]
    possible: frozenset[Link]


def strongest_links(weights: ArrayLike) -> frozenset[Link]:
    """One link a target word: to the source word with the highest attention weight (Luong et al. 2015, section 5.4).

    Args:
        weights: [target, source], only rows and columns of words. A target word without any weight stays unaligned.
    """
    matrix = np.asarray(weights, dtype=np.float32)
    if not matrix.size:
        return frozenset()
    return frozenset(
        (int(row.argmax()), target) for target, row in enumerate(matrix) if np.isfinite(row).all() and row.max() > 0
    )


def to_pharaoh(links: Iterable[Link]) -> str:
    """One line of a Pharaoh file: `source-target` pairs, counted from 0, ordered by target word."""
    return " ".join(f"{source}-{target}" for source, target in sorted(links, key=lambda link: (link[1], link[0])))


def parse_gold(line: str, where: str = "") -> GoldLinks:
    """Read one line of gold links: `i-j` is sure, `i?j` is possible only; blank lines hold none.

    Args:
        line: as `to_pharaoh` writes it, or with question marks.
        where: file and line, to be named in an error.

    Raises:
        UserError: an entry is neither form.
    """
    sure: set[Link] = set()
    possible: set[Link] = set()
    for entry in line.split():
        separator = "?" if "?" in entry else "-"
        source, found, target = entry.partition(separator)
        if not (found and source.isdecimal() and target.isdecimal()):
            raise UserError(
                f"{where + ': ' if where else ''}'{entry}' is not a word alignment. Expected the source word, "
                "'-' (sure) or '?' (possible), and the target word, both counted from 0, as in '0-0 1?2'."
            )
        link = (int(source), int(target))
        possible.add(link)
        if separator == "-":
            sure.add(link)
    return GoldLinks(frozenset(sure), frozenset(possible))


def turned(gold: GoldLinks) -> GoldLinks:
    """The same links for the other direction: (target word, source word) becomes (source word, target word)."""
    return GoldLinks(*(frozenset((target, source) for source, target in links) for links in gold))
