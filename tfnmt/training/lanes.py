"""Into how many parts a batch is divided that are worked on at the same time."""

from __future__ import annotations

import tensorflow as tf

from tfnmt.processors import processors

SENTENCES = 32
"""The fewest sentences of a part: matrix products of fewer rows are slow."""


def lanes(sentences: int, replicas: int = 1) -> int:
    """One part for each processor of a machine without GPUs, as far as the batch has sentences for them.

    Args:
        sentences: of a global batch.
        replicas: how many devices or workers share it; each gets its sentences.
    """
    if any(tf.config.list_physical_devices(kind) for kind in ("GPU", "TPU")):
        return 1
    return max(1, min(processors(), sentences // (replicas * SENTENCES)))
