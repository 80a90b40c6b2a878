"""What two worker processes tell each other."""

from __future__ import annotations

import json
from pathlib import Path

from tests.warm_starts import run_warm_together
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
