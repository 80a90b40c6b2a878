"""Whatever a client sends to an export is answered in its form, or refused by a message; `make fuzz` sends more."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tests.export.conftest import N_BEST
from tests.fuzz import inputs
from tests.fuzz.drawing import drawn

REFUSALS = (TypeError, ValueError, tf.errors.InvalidArgumentError)
ANSWERS = {"translation": 1, "score": 1, "translations": 2, "scores": 2, "source_tokens": 2, "target_tokens": 2,
           "weights": 3}  # fmt: skip
"""The number of axes of each output, the batch first."""


@drawn(0.01, request=inputs.REQUESTS)
def test_a_request_is_answered_or_refused(export, request):
    name, given = request
    try:
        answer = export.signatures[name](**{key: tf.convert_to_tensor(value) for key, value in given.items()})
    except REFUSALS as refusal:
        assert len(str(refusal)) > 20
        assert not well_formed(given), (name, given, refusal)
        return
    assert well_formed(given), (name, given, answer)
    rows = len(next(iter(given.values())))
    for output, tensor in answer.items():
        assert tensor.shape.rank == ANSWERS[output] and tensor.shape[0] == rows
        values = tensor.numpy()
        assert output not in ("translations", "scores") or values.shape[1] == N_BEST
        if tensor.dtype == tf.string:
            for text in values.flat:
                text.decode("utf-8")
        else:
            assert np.isfinite(values).all()


def well_formed(given: dict[str, Any]) -> bool:
    """Whether a request names the inputs of its signature, each a vector of strings, all of one length."""
    if given.keys() not in ({"sentences"}, {"sources", "targets"}):
        return False
    arrays = [np.asarray(value) for value in given.values()]
    return all(array.ndim == 1 and array.dtype == object for array in arrays) and len({len(a) for a in arrays}) == 1
