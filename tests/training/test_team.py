"""What two worker processes tell each other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import tensorflow as tf

from tests.warm_starts import run_warm_together
from tfnmt.training.team import LostWorkers, Workers
from tfnmt.zoo.launch import configuration, free_addresses


def test_all_members_decide_alike_by_the_clock_and_the_text_of_the_chief(tmp_path: Path) -> None:
    addresses, program = free_addresses(2), ["tests/training/workers.py", str(tmp_path / "shared.txt")]
    team = [(program, {"TF_CONFIG": configuration(addresses, number)}) for number in range(2)]
    chief, other = (json.loads(ended.output().splitlines()[-1]) for ended in run_warm_together(team))
    assert (chief["size"], chief["chief"], other["size"], other["chief"]) == (2, True, 2, False)
    assert (chief["found"], other["found"]) == ("nothing", "written by the chief")
    for report in (chief, other):
        assert report["nobody"] == [False, 10.0]
        assert report["one"] == [True, 20.0]
        assert report["shared"] == 0.1


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "Graph execution error:\n\nDetected at node X\nCollective ops is aborted by: no heartbeat\nRestart.",
            "no heartbeat",
        ),
        ("Connection refused\nDetails", "Connection refused"),
    ],
)
def test_a_lost_worker_is_told_by_its_cause(said: str, told: str) -> None:
    watched = Workers.watched(Workers.__new__(Workers))  # of a team whose strategy plays no part
    with pytest.raises(LostWorkers, match=f"no longer answers.*\nTensorFlow says: {told}$"), watched:
        raise tf.errors.UnavailableError(None, None, said)
