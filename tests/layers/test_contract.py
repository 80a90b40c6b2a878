import functools
import json
import pickle
import zipfile
from collections.abc import Iterator
from pathlib import Path

import keras
import numpy as np
import pytest
import tensorflow as tf

from tests.layers import fresh_process
from tests.layers.contract import (
    constructor_arguments,
    learn_once,
    model_of,
    outputs_of,
    public_layers,
    registered_layers,
)
from tests.layers.specimens import SPECIMENS
from tests.processes import python
from tfnmt.models.ensemble import Ensemble

EVERY_LAYER = pytest.mark.parametrize("kind", SPECIMENS, ids=lambda kind: kind.__name__)
TESTED_ELSEWHERE = {Ensemble}
"""An ensemble is made of trained networks, not of its base's arguments: tests/models/test_ensemble.py."""


def test_no_layer_is_forgotten() -> None:
    assert public_layers() <= registered_layers()
    assert registered_layers() - TESTED_ELSEWHERE == set(SPECIMENS)


@functools.cache
def built(kind: type) -> tuple[keras.layers.Layer, keras.Model]:
    """One specimen for all tests here: none of them minds which values its weights have."""
    usual = keras.config.dtype_policy()
    keras.config.set_dtype_policy("float32")
    specimen = model_of(kind)
    keras.config.set_dtype_policy(usual)
    return specimen


@EVERY_LAYER
def test_has_these_weights(kind: type) -> None:
    layer, _ = built(kind)
    found = {weight.path.partition("specimen/")[2]: tuple(weight.shape) for weight in layer.weights}
    assert found == SPECIMENS[kind].weights
    assert len(found) == len(layer.weights)


@EVERY_LAYER
def test_config_keeps_every_argument(kind: type) -> None:  # C72
    layer, _ = built(kind)
    config = layer.get_config()
    for name, default in constructor_arguments(kind).items():
        assert config[name] != default, f"the specimen should set {name}"
    again = kind.from_config(json.loads(json.dumps(config)))
    assert json.dumps(again.get_config()) == json.dumps(config)
    assert again.name == "specimen"


@EVERY_LAYER
def test_eager_and_graph_agree(kind: type) -> None:
    specimen = SPECIMENS[kind]
    _, model = built(kind)
    eager = outputs_of(model, specimen)
    graph = keras.tree.flatten(tf.function(model)(specimen.inputs))
    for one, other in zip(eager, graph, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)
        assert np.all(np.isfinite(one))


@EVERY_LAYER
def test_a_training_step_moves_every_weight(kind: type) -> None:
    layer, model = built(kind)
    before = layer.get_weights()
    assert np.isfinite(learn_once(model, SPECIMENS[kind]))
    for weight, start in zip(layer.weights, before, strict=True):
        moved = np.abs(weight.numpy() - start)
        assert np.all(np.isfinite(moved))
        assert (np.max(moved) > 0) == weight.trainable, weight.path  # those of a frozen part stay


@pytest.fixture(params=["bfloat16", "float16"])
def half(request: pytest.FixtureRequest) -> Iterator[str]:
    usual = keras.config.dtype_policy()
    keras.config.set_dtype_policy(f"mixed_{request.param}")
    yield request.param
    keras.config.set_dtype_policy(usual)


@EVERY_LAYER
def test_half_precision_is_finite_and_near(half: str, kind: type) -> None:  # C29
    _, usual = built(kind)
    layer, model = model_of(kind)
    assert layer.compute_dtype == half
    assert all(weight.dtype == "float32" for weight in layer.weights)
    model.set_weights(usual.get_weights())
    for found, full in zip(outputs_of(model, SPECIMENS[kind]), outputs_of(usual, SPECIMENS[kind]), strict=True):
        np.testing.assert_allclose(found.astype("float32"), full, atol=0.05 * max(1, np.max(np.abs(full))))


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("saved")
    for kind, specimen in SPECIMENS.items():
        (folder / kind.__name__).mkdir()
        _, model = built(kind)
        model.save(folder / kind.__name__ / "model.keras")
        expected = pickle.dumps((specimen.inputs, outputs_of(model, specimen)))
        (folder / kind.__name__ / "expected.pickle").write_bytes(expected)
    return folder


@pytest.fixture(scope="module")
def reports(saved: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What a fresh process says of each saved model."""
    answer = tmp_path_factory.mktemp("reports") / "reports.json"
    python(fresh_process.__file__, saved, answer, cwd=saved).output()
    return json.loads(answer.read_text())


@EVERY_LAYER
def test_a_fresh_process_loads_it_without_being_told_of_it(reports: dict[str, str], kind: type) -> None:  # C72
    assert reports[kind.__name__] == "as saved"


@EVERY_LAYER
def test_a_saved_file_holds_no_code(saved: Path, kind: type) -> None:  # C75
    with zipfile.ZipFile(saved / kind.__name__ / "model.keras") as file:
        assert set(file.namelist()) == {"metadata.json", "config.json", "model.weights.h5"}
        assert '"Lambda"' not in file.read("config.json").decode()
