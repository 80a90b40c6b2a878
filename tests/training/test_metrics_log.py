"""What a program reads of a run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from tests.training.test_summary import REPORT
from tfnmt.training.metrics_log import MetricsLog
from tfnmt.training.observer import Start, ValidationReport
from tfnmt.training.state import TrainingState


def test_each_line_is_json_and_a_resumed_run_appends(tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    for first in (1, 5):
        log = MetricsLog(path, every_steps=2)
        for step in range(first, first + 4):
            log.stepped(replace(REPORT, step=step, seconds_left=float("inf")))
        log.validated(ValidationReport(first + 3, 0, {"bleu": 12.5, "loss": float("nan")}, True, first + 3, 1.0))
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [(line["kind"], line["step"]) for line in lines] == [
        ("training", 2), ("training", 4), ("validation", 4), ("training", 6), ("training", 8), ("validation", 8),
    ]  # fmt: skip
    assert lines[0]["loss"] == 3.0 and lines[0]["words_per_second"] == 16.0 and lines[0]["seconds_left"] is None
    assert lines[2] == {"kind": "validation", "step": 4, "is_best": True, "bleu": 12.5, "loss": None}


def started(log: MetricsLog, loss_name: str | None = None) -> MetricsLog:
    log.started(Start(TrainingState(), 1, 10, False, loss_name))
    return log


def test_a_loss_of_another_kind_has_its_own_name_and_no_perplexity(tmp_path: Path) -> None:
    log = started(MetricsLog(tmp_path / "metrics.jsonl", every_steps=1), "sampled loss")
    log.stepped(REPORT)
    (line,) = (json.loads(text) for text in log.path.read_text(encoding="utf-8").splitlines())
    assert line["sampled loss"] == 3.0 and not {"loss", "perplexity"} & set(line)


def test_a_line_that_was_cut_short_spoils_no_other(tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    path.write_text('{"kind": "training", "step": 2}\n{"kind": "trai', encoding="utf-8")
    started(MetricsLog(path, every_steps=1)).stepped(REPORT)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [line["step"] for line in lines] == [2, REPORT.step]
