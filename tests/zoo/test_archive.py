"""A `.keras` file from anywhere is refused before Keras opens it, or loaded without running anything of it."""

from __future__ import annotations

import base64
import io
import json
import marshal
import zipfile
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from tests.decoding.tiny import tiny_translator
from tests.keras_files import Files, packed, unpacked
from tfnmt.errors import UserError
from tfnmt.zoo import archive, translators

MARK = "executed"


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("good") / "translator.keras"
    tiny_translator().save(path)
    return path


def files(path: Path) -> Files:
    return unpacked(path.read_bytes())


def written(path: Path, content: Files, compression: int = zipfile.ZIP_STORED) -> Path:
    path.write_bytes(packed(content, compression))
    return path


def with_config(content: Files, change: Callable[[Any], None]) -> Files:
    config = json.loads(content[archive.CONFIG])
    change(config)
    return {**content, archive.CONFIG: json.dumps(config).encode()}


def with_weights(content: Files, change: Callable[[h5py.File], None]) -> Files:
    stream = io.BytesIO(content[archive.WEIGHTS])
    with h5py.File(stream, "r+") as weights:
        change(weights)
    return {**content, archive.WEIGHTS: stream.getvalue()}


def first_weight(weights: h5py.File) -> str:
    found: list[str] = []
    weights.visititems(lambda name, item: found.append(name) if isinstance(item, h5py.Dataset) and item.ndim else None)
    return found[0]


def test_what_keras_writes_is_taken(good: Path) -> None:
    archive.check(good)
    assert translators.load(str(good)).translate(["A man sleeps."])


@pytest.mark.parametrize("name", ["../evil.txt", "/evil.txt", "assets/../../evil.txt", "..\\evil.txt", "code.py"])
def test_a_member_outside_is_refused(name: str, good: Path, tmp_path: Path) -> None:
    path = written(tmp_path / "model.keras", {**files(good), name: b"evil"})
    with pytest.raises(UserError, match="which no translator has"):
        translators.load(str(path))
    assert [entry.name for entry in tmp_path.iterdir()] == ["model.keras"]


def test_an_archive_that_grows_when_it_is_opened_is_refused(good: Path, tmp_path: Path) -> None:
    bomb = {**files(good), "assets/vocabulary.txt": b"\0" * 10_000_000}
    with pytest.raises(UserError, match="compressed"):
        archive.check(written(tmp_path / "model.keras", bomb, zipfile.ZIP_DEFLATED))


def test_a_size_that_the_weights_do_not_have_is_refused(good: Path, tmp_path: Path) -> None:
    def grow(config: Any) -> None:
        config["config"]["network"]["config"]["encoder"]["config"]["units"] = 10**6

    path = written(tmp_path / "model.keras", with_config(files(good), grow))
    with pytest.raises(UserError, match="units is 1,000,000"):
        translators.load(str(path))


def test_weights_that_the_file_does_not_hold_are_refused(good: Path, tmp_path: Path) -> None:
    def declare(weights: h5py.File) -> None:
        weights.create_dataset("huge", shape=(10**12,), chunks=(1000,), dtype="float32")

    path = written(tmp_path / "model.keras", with_weights(files(good), declare))
    with pytest.raises(UserError, match=r"4,000,000,000,000 bytes for 'huge'"):
        translators.load(str(path))


@pytest.mark.parametrize(
    "replacement", [np.full([3], "word", "S9"), np.zeros([2, 2], np.float32), np.zeros([3], np.complex64)],
    ids=["strings", "shape", "complex"],
)  # fmt: skip
def test_weights_of_another_kind_are_refused(replacement: np.ndarray, good: Path, tmp_path: Path) -> None:
    def replace(weights: h5py.File) -> None:
        name = first_weight(weights)
        del weights[name]
        weights[name] = replacement

    path = written(tmp_path / "model.keras", with_weights(files(good), replace))
    with pytest.raises(UserError, match="cannot be loaded"):
        translators.load(str(path))


def code() -> str:
    """Bytecode that leaves a file behind, as a Lambda layer carries it."""
    body = compile(f"open({MARK!r}, 'w').close()", "code", "exec")
    return base64.b64encode(marshal.dumps(body)).decode()


HOSTILE = {
    "a function of Python": {"module": "os", "class_name": "system", "config": f"touch {MARK}"},
    "a builtin": {"module": "builtins", "class_name": "exec", "config": f"open('{MARK}', 'w')"},
    "bytecode": {"class_name": "__lambda__", "config": {"code": code(), "defaults": None, "closure": None}},
    "a Lambda layer": {
        "module": "keras.layers", "class_name": "Lambda",
        "config": {"name": "x", "function": {"class_name": "__lambda__", "config": {"code": code()}}},
    },
}  # fmt: skip


@pytest.mark.parametrize("thing", HOSTILE)
@pytest.mark.parametrize("place", ["the model", "its search"])
def test_nothing_in_a_file_is_executed(
    thing: str, place: str, good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # C75
    monkeypatch.chdir(tmp_path)

    def plant(config: Any) -> None:
        if place == "the model":
            config.clear()
            config.update(HOSTILE[thing])
        else:
            config["config"]["search"] = HOSTILE[thing]

    path = written(tmp_path / "model.keras", with_config(files(good), plant))
    with pytest.raises(UserError):
        translators.load(str(path))
    assert [entry.name for entry in tmp_path.iterdir()] == ["model.keras"]


LENGTHS = {"class_name": "LengthNormalization", "module": "tfnmt.decoding.length_normalization",
           "registered_name": "tfnmt>LengthNormalization", "config": {"exponent": 1.0}}  # fmt: skip


@pytest.mark.parametrize(
    ("place", "value"),
    [(["search"], LENGTHS), (["source_tokenizer"], 5), (["network"], None), (["lexicon"], "a lexicon"),
     (["candidates"], []), (["network", "config", "encoder"], None), (["network", "config", "decoder"], 5),
     (["network", "config", "output"], LENGTHS)],
    ids=str,
)  # fmt: skip
def test_parts_that_make_no_translator_are_refused(place: list[str], value: Any, good: Path, tmp_path: Path) -> None:
    """When they are loaded, not when they are first used."""

    def replace(config: Any) -> None:
        *outer, name = place
        reduce(dict.__getitem__, outer, config["config"])[name] = value

    path = written(tmp_path / "model.keras", with_config(files(good), replace))
    with pytest.raises(UserError, match="cannot be loaded"):
        translators.load(str(path))


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99])
def test_a_file_cut_short_is_refused(share: float, good: Path, tmp_path: Path) -> None:
    content = good.read_bytes()
    (tmp_path / "model.keras").write_bytes(content[: int(share * len(content))])
    with pytest.raises(UserError):
        translators.load(str(tmp_path / "model.keras"))
