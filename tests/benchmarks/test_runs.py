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


def test_findings_are_made_once_and_again_under_other_conditions(tmp_path: Path) -> None:
    asked: list[str] = []

    def find(name: str) -> dict[str, int]:
        asked.append(name)
        return {"number": len(asked)}

    path = tmp_path / "run" / "findings.json"
    for under in (None, None, {"beam": 5}, {"beam": 5}, {"beam": 6}):
        number = runs.Findings(path).once("bleu", lambda: find("bleu"), under=under)["number"]
        assert number == {None: 1, 5: 2, 6: 3}[under and under["beam"]]
    assert asked == ["bleu"] * 3
    assert runs.Findings(path).once("speed", lambda: find("speed")) == {"number": 4}
    assert runs.Findings(path).get("bleu", under={"beam": 6}) == {"number": 3}
    assert runs.Findings(path).get("bleu", under={"beam": 5}) is None
    assert runs.Findings(path).get("perplexity") is None


def test_findings_of_two_at_the_same_time_are_all_kept(tmp_path: Path) -> None:
    path = tmp_path / "findings.json"
    one, other = runs.Findings(path), runs.Findings(path)
    one.once("bleu", lambda: other.once("speed", lambda: 100.0) and 30.5)
    assert [runs.Findings(path).get(name) for name in ("bleu", "speed")] == [30.5, 100.0]


def test_a_finding_that_fails_leaves_those_before_it(tmp_path: Path) -> None:
    findings = runs.Findings(tmp_path / "findings.json")
    findings.once("bleu", lambda: 30.5)
    with pytest.raises(ZeroDivisionError):
        findings.once("speed", lambda: 1 / 0)
    assert runs.Findings(tmp_path / "findings.json").known == {"bleu": {"under": None, "found": 30.5}}


def test_a_finding_that_was_kept_in_another_form_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "findings.json"
    path.write_text('{"bleu": {"trained": 1.0, "bleu": 20.0}, "speed": 7.0}', encoding="utf-8")
    findings = runs.Findings(path)
    assert [findings.once(name, lambda: 30.5) for name in ("bleu", "speed")] == [30.5, 30.5]
