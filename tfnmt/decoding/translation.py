"""One translation of one sentence."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Translation:
    """A hypothesis as plain text.

    Attributes:
        text: the translation.
        score: what the search ranked it by: `log_probability / length ** length_normalization`.
        log_probability: summed over its words and the end symbol.
        finished: False when it was cut at the length limit.
    """

    text: str
    score: float
    log_probability: float
    finished: bool
