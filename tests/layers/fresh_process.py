"""Loads each saved model as a stranger would, and goes on training it; run as a script by `test_contract.py`."""

import json
import pickle
import sys
import traceback
from pathlib import Path

import numpy as np

import tfnmt  # noqa: F401  (the only thing that a stranger must know)

import keras  # isort: skip


def report(folder: Path) -> str:
    inputs, outputs = pickle.loads((folder / "expected.pickle").read_bytes())
    model = keras.models.load_model(folder / "model.keras")
    structure = model(inputs)
    for found, expected in zip(keras.tree.flatten(structure), outputs, strict=True):
        np.testing.assert_allclose(keras.ops.convert_to_numpy(found), expected, atol=1e-6)
    targets = keras.tree.map_structure(lambda output: np.ones(output.shape, "float32"), structure)
    assert np.all(np.isfinite(model.train_on_batch(inputs, targets)))
    return "as saved"


if __name__ == "__main__":
    reports = {}
    for folder in Path(sys.argv[1]).iterdir():
        try:
            reports[folder.name] = report(folder)
        except Exception:
            reports[folder.name] = traceback.format_exc()
    Path(sys.argv[2]).write_text(json.dumps(reports))
