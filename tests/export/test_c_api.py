"""The export through TensorFlow's C API: the loader of TensorFlow Serving, without Python TensorFlow."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tensorflow.core.protobuf import saved_model_pb2

from tests.export.conftest import SENTENCES

PROGRAM = Path(__file__).with_name("c_api.py")


def run(directory: Path, calls: dict[str, dict[str, list[str]]], libraries: bool = True):
    """Call several signatures in one process: the outputs of each by name, and what went wrong."""
    saved = saved_model_pb2.SavedModel.FromString((directory / "saved_model.pb").read_bytes())
    definitions = {name: saved.meta_graphs[0].signature_def[name] for name in calls}
    request = {
        "libraries": libraries,
        "inputs": {definitions[name].inputs[key].name: value for name in calls for key, value in calls[name].items()},
        "outputs": [output.name for definition in definitions.values() for output in definition.outputs.values()],
    }
    command = [sys.executable, str(PROGRAM), str(directory)]
    ended = subprocess.run(command, input=json.dumps(request), capture_output=True, text=True)
    values = iter(json.loads(ended.stdout) if ended.stdout else [])
    return {name: dict(zip(definitions[name].outputs, values, strict=False)) for name in calls}, ended.stderr


def test_raw_strings_in_raw_strings_out(base, export):
    some = SENTENCES[:4]
    answers, error = run(base / "1", {"serving_default": {"sentences": SENTENCES}, "align": {"sentences": some}})
    best = answers["serving_default"]
    assert best, error
    assert best["translation"] == export.translate(SENTENCES)
    assert best["score"] == pytest.approx([ranked[0].score for ranked in export.n_best(SENTENCES)], rel=1e-5)
    aligned = answers["align"]
    assert aligned["translation"] == export.translate(some)
    for row, expected in enumerate(export.align(some)):
        assert tuple(token for token in aligned["source_tokens"][row] if token) == expected.source_tokens
        assert tuple(token for token in aligned["target_tokens"][row] if token) == expected.target_tokens
        words, width = expected.weights.shape
        found = [weights[:width] for weights in aligned["weights"][row][:words]]
        assert found == [pytest.approx(weights, abs=1e-5) for weights in expected.weights.tolist()]


# C80: without tensorflow-text's kernels the loader says so.
def test_kernels_of_tensorflow_text_are_needed(base):
    answers, error = run(base / "1", {"serving_default": {"sentences": SENTENCES}}, libraries=False)
    assert not answers["serving_default"] and "Op type not registered" in error
