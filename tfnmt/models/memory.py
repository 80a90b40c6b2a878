"""What an encoder leaves for the decoder."""

from __future__ import annotations

from typing import Any, NamedTuple

import tensorflow as tf


class Memory(NamedTuple):
    """One encoded batch of source sentences.

    Attributes:
        annotations: float32 `[batch, source, annotation]`; padded rows hold anything, use `mask`. Those of an ensemble
            are the memories of its members.
        mask: bool `[batch, source]`, True at real positions, which come first; the end symbol is one where it is read.
        summary: nest of `[batch, units]`, what initialises the decoder.
        words: int32 `[batch]`, words of each sentence without the end symbol.
        keys: nest of `[batch, source, ...]`, what the decoder's attention projected once a sentence; `()` before.
        scored: float32 `[batch, source, n]`, what attention compares with its queries where that is something else than
            the annotations it sums (Gehring et al. 2016); `()` where it is not.
        candidates: nest of `[batch, n, ...]`, each sentence's own candidate words (`Candidates.ids` and `own`); `()`
            without a list.
    """

    annotations: Any
    mask: tf.Tensor
    summary: Any
    words: tf.Tensor
    keys: Any = ()
    scored: Any = ()
    candidates: Any = ()

    @property
    def scored_annotations(self) -> Any:
        """What attention compares with its queries: `scored`, or the annotations themselves."""
        return self.annotations if isinstance(self.scored, tuple) and not self.scored else self.scored
