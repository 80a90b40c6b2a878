"""Trainings that benchmarks start, and what they read of them."""

import json
from pathlib import Path

import pytest

from benchmarks import corpora, runs


def write_figures(place: Path, *speeds: float) -> None:
    place.mkdir(parents=True)
    records = [{"kind": "training", "words_per_second": speed} for speed in speeds]
    text = "".join(f"{json.dumps(record)}\n" for record in [*records, {"kind": "validation", "loss": 1.5}])
    (place / "metrics.jsonl").write_text(text, encoding="utf-8")


def test_the_first_stretch_compiles_and_does_not_count(tmp_path: Path) -> None:
    write_figures(tmp_path / "long", 10.0, 100.0, 300.0, 200.0)
    write_figures(tmp_path / "short", 10.0)
    assert runs.training_speed(tmp_path / "long") == 200.0
    assert runs.training_speed(tmp_path / "short") == 10.0


def test_figures_are_of_one_kind_and_none_before_a_run(tmp_path: Path) -> None:
    write_figures(tmp_path / "run", 10.0)
    assert runs.figures(tmp_path / "run", "validation") == [{"kind": "validation", "loss": 1.5}]
    assert runs.figures(tmp_path / "nowhere", "validation") == []


def test_texts_are_found_here_and_among_the_corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "data"
    (data / "captions").mkdir(parents=True)
    for name in ("captions/train.en.gz", "captions/train.de.gz", "captions/valid.en"):
        (data / name).touch()
    (tmp_path / "captions").mkdir()
    (tmp_path / "captions" / "valid.de").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(corpora, "DATA", data)
    found = list(runs.texts(("en", "de"), {"train": ["captions/train"], "valid": ["captions/valid"]}))
    assert found == [
        "--train-source", str(data / "captions/train.en.gz"), "--train-target", str(data / "captions/train.de.gz"),
        "--valid-source", str(data / "captions/valid.en"), "--valid-target", "captions/valid.de",
    ]  # fmt: skip
    with pytest.raises(SystemExit, match=r"'captions/test\.en'"):
        list(runs.texts(("en", "de"), {"test": ["captions/test"]}))
