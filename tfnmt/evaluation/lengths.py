"""BLEU against sentence length, as in figure 2 of Bahdanau et al. (2015) and figure 6 of Luong et al. (2015)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from tfnmt.errors import UserError
from tfnmt.evaluation.metrics import Metric, Score, bleu_tokenized


class LengthGroup(NamedTuple):
    """The sentences of similar length.

    Attributes:
        shortest: smallest length that belongs here, in words.
        longest: largest length that belongs here, in words.
        sentences: how many there are.
        score: their score, as a corpus of its own.
    """

    shortest: int
    longest: int
    sentences: int
    score: Score


def bleu_by_source_length(
    sources: Sequence[str],
    hypotheses: Sequence[str],
    references: Sequence[str],
    width: int = 10,
    metric: Metric = bleu_tokenized,
) -> list[LengthGroup]:
    """Score the sentences of 1 to `width` source words, of `width + 1` to twice that, and so on.

    Words are counted at blanks. Groups without a sentence are left out; a blank source belongs to the first group.

    Args:
        sources: plain text that was translated.
        hypotheses: plain text of the system.
        references: plain text to compare with.
        width: how many lengths a group spans.
        metric: any function of `tfnmt.evaluation.metrics`.

    Raises:
        UserError: the three sides differ in their number of lines, or the width is below one.
    """
    if width < 1:
        raise UserError(f"A group of lengths must span at least one word, not {width}.")
    _check(sources, hypotheses, references)

    def group(line: int) -> int:
        return max(_words(sources[line]) - 1, 0) // width

    lines = sorted(range(len(sources)), key=group)
    return [
        _score(number * width + 1, (number + 1) * width, list(members), hypotheses, references, metric)
        for number, members in groupby(lines, key=group)
    ]


def bleu_by_reference_length(
    hypotheses: Sequence[str],
    references: Sequence[str],
    sentences: int = 200,
    metric: Metric = bleu_tokenized,
) -> list[LengthGroup]:
    """Sort by reference length and score groups of equally many sentences, as the authors of Luong et al. (2015) do.

    Words are counted at blanks. The last group holds what is left.

    Args:
        hypotheses: plain text of the system.
        references: plain text to compare with.
        sentences: size of a group.
        metric: any function of `tfnmt.evaluation.metrics`.

    Raises:
        UserError: the two sides differ in their number of lines, or the group size is below one.
    """
    if sentences < 1:
        raise UserError(f"A group must hold at least one sentence, not {sentences}.")
    _check(references, hypotheses, references)
    lines = sorted(range(len(references)), key=lambda line: _words(references[line]))
    groups = [lines[start : start + sentences] for start in range(0, len(lines), sentences)]
    return [
        _score(_words(references[group[0]]), _words(references[group[-1]]), group, hypotheses, references, metric)
        for group in groups
    ]


def _words(sentence: str) -> int:
    return len(sentence.split())


def _check(sources: Sequence[str], hypotheses: Sequence[str], references: Sequence[str]) -> None:
    if not len(sources) == len(hypotheses) == len(references):
        raise UserError(
            f"There are {len(sources)} source sentences, {len(hypotheses)} translations and {len(references)} "
            "references. Line n of each belongs to line n of the others: find the missing lines before comparing."
        )


def _score(
    shortest: int,
    longest: int,
    lines: list[int],
    hypotheses: Sequence[str],
    references: Sequence[str],
    metric: Metric,
) -> LengthGroup:
    score = metric([hypotheses[line] for line in lines], [references[line] for line in lines])
    return LengthGroup(shortest, longest, len(lines), score)
