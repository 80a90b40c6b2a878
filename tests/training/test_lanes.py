"""A batch has a part for each processor, none of them too small."""

from __future__ import annotations

import pytest
import tensorflow as tf

from tfnmt.training import lanes as module
from tfnmt.training.lanes import SENTENCES, lanes


@pytest.mark.parametrize(
    ("processors", "sentences", "replicas", "parts"),
    [(2, 80, 1, 2), (2, 7, 1, 1), (16, 80, 1, 2), (16, 3 * SENTENCES, 1, 3), (2, 80, 2, 1), (1, 500, 1, 1)],
)
def test_parts(processors: int, sentences: int, replicas: int, parts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "processors", lambda: processors)
    assert lanes(sentences, replicas) == parts


def test_a_gpu_needs_no_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tf.config, "list_physical_devices", lambda kind: ["one"] * (kind == "GPU"))
    assert lanes(1000) == 1
