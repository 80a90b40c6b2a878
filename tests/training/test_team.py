"""What two worker processes tell each other."""

from __future__ import annotations

import json
import socket
from pathlib import Path

from tests.training.programs import output, started


def free_ports(count: int) -> list[int]:
    held = [socket.socket() for _ in range(count)]
    for each in held:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in held]
    for each in held:
        each.close()
    return ports


def test_all_members_decide_alike_by_the_clock_and_the_text_of_the_chief(tmp_path: Path) -> None:
    ports = free_ports(2)
    programs = [started("workers.py", number, tmp_path / "shared.txt", *ports) for number in range(2)]
    chief, other = (json.loads(output(program)[-1]) for program in programs)
    assert (chief["size"], chief["chief"], other["size"], other["chief"]) == (2, True, 2, False)
    assert (chief["found"], other["found"]) == ("nothing", "written by the chief")
    for report in (chief, other):
        assert report["nobody"] == [False, 10.0]
        assert report["one"] == [True, 20.0]
        assert report["shared"] == 0.1
