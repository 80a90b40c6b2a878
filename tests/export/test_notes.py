from __future__ import annotations

import tensorflow as tf

from tfnmt.export.notes import notes
from tfnmt.export.signatures import Signature

WAYS = {"score": Signature(("sources", "targets"), {"score": "[batch]"}, lambda sources, targets: {})}


def test_notes_name_signatures_and_settings():
    text = notes("mine", WAYS, ["TFText>Op"], beam_size=7, n_best=2)
    assert text.startswith("# mine\n")
    assert "| `score` | `sources` [batch], `targets` [batch] | `score` [batch] |" in text
    assert "beam of 7 places; `n_best` returns 2" in text


# C80
def test_notes_name_operations_and_the_version_that_has_them():
    assert "`Op1`, `TFText>Op2`" in notes("mine", WAYS, ["Op1", "TFText>Op2"], beam_size=1, n_best=1)
    assert f"TensorFlow {tf.__version__}" in notes("mine", WAYS, [], beam_size=1, n_best=1)


def test_notes_of_an_export_of_core_operations():
    text = notes("mine", WAYS, [], beam_size=1, n_best=1)
    assert "None: every TensorFlow runtime" in text and "tensorflow-text" not in text
