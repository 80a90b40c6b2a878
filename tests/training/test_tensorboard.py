"""What TensorBoard finds in the event files."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tests.training.test_progress import START
from tests.training.test_summary import REPORT
from tfnmt.decoding.alignment import Alignment
from tfnmt.training.observer import End, ValidationReport
from tfnmt.training.samples import Sample
from tfnmt.training.state import TrainingState
from tfnmt.training.tensorboard import TensorBoardLog

SOURCES = ("A man | sleeps.", "你好 *世界*")


def samples() -> list[Sample]:
    weights = np.array([[0.9, 0.1, 0.0], [0.2, 0.3, 0.5]], np.float32)
    first = Alignment(("A", "man", "sleeps"), ("Ein", "Mann"), weights)
    second = Alignment(("你好", "世界"), (), np.zeros([0, 2], np.float32))  # an empty translation
    hypotheses = ("Ein Mann", "")
    return [
        Sample(*row) for row in zip(SOURCES, hypotheses, ("Ein Mann schläft.", "Hallo"), (first, second), strict=True)
    ]


@pytest.fixture
def found(tmp_path: Path) -> dict[str, list[tuple[int, Any]]]:
    """Steps and values of each tag, from a run of 4 steps with two validations."""
    log = TensorBoardLog(tmp_path, recipe='[training]\nkind = "adam"', samples=samples, every_steps=2)
    log.started(START)
    for step in range(1, 5):
        log.stepped(replace(REPORT, step=step))
        if step % 2 == 0:
            log.validated(ValidationReport(step, 0, {"bleu": 10.0 * step, "loss": 1.5}, True, step, 1.0))
    log.ended(End(TrainingState(), "finished"))
    tags: dict[str, list[tuple[int, Any]]] = defaultdict(list)
    for file in sorted(tmp_path.iterdir()):
        for event in tf.compat.v1.train.summary_iterator(str(file)):
            for value in event.summary.value:
                tags[value.tag].append((event.step, tf.make_ndarray(value.tensor)))
    return tags


def test_curves(found: dict[str, list[tuple[int, Any]]]) -> None:
    assert [(step, float(value)) for step, value in found["validation/bleu"]] == [(2, 20.0), (4, 40.0)]
    expected = {
        "loss": 3.0,
        "perplexity": np.exp(3.0),
        "learning rate": 0.5,
        "gradient norm": 3.0,
        "words per second": 16.0,
        "padding share": 0.1,
    }
    for name, value in expected.items():
        assert [step for step, _ in found[f"training/{name}"]] == [2, 4]
        assert float(found[f"training/{name}"][0][1]) == pytest.approx(value, rel=1e-5)


def test_the_same_sentences_are_shown_each_time_with_their_words(
    found: dict[str, list[tuple[int, Any]]],
) -> None:  # C71
    assert [step for step, _ in found["attention/sentence 1"]] == [2, 4]
    assert "attention/sentence 2" not in found  # nothing was translated, so there is no picture
    width, height, png = found["attention/sentence 1"][0][1]
    picture = tf.image.decode_png(png).numpy()
    assert picture.shape[:2] == (int(height), int(width))
    assert picture.std() > 10  # something is drawn
    text = found["translations"][0][1].item().decode()
    assert "| 1 | A man &#124; sleeps. | Ein Mann | Ein Mann schläft. |" in text
    assert "| 2 | 你好 &#42;世界&#42; |  | Hallo |" in text


def test_the_recipe_is_shown_as_it_is_written(found: dict[str, list[tuple[int, Any]]]) -> None:
    assert found["recipe"][0][1].item().decode() == '    [training]\n    kind = "adam"'


def test_a_sampled_loss_is_labelled(tmp_path: Path) -> None:  # C37
    log = TensorBoardLog(tmp_path, every_steps=1)
    log.started(replace(START, loss_name="sampled loss"))
    log.stepped(REPORT)
    log.ended(End(TrainingState(), "finished"))
    (file,) = tmp_path.iterdir()
    tags = {value.tag for event in tf.compat.v1.train.summary_iterator(str(file)) for value in event.summary.value}
    assert "training/sampled loss" in tags
    assert not tags & {"training/loss", "training/perplexity"}


def test_a_run_that_does_nothing_writes_nothing(tmp_path: Path) -> None:
    TensorBoardLog(tmp_path).ended(End(TrainingState(), "is already at step 1 of 1"))
    assert list(tmp_path.iterdir()) == []
