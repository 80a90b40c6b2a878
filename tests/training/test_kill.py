"""A run that is killed ends in the weights of one that never stopped."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.processes import ended, started
from tests.training.small_run import fingerprint
from tfnmt.training.observer import Observer

PROGRAM = Path(__file__).with_name("small_run.py")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    return fingerprint(tmp_path_factory.mktemp("undisturbed"), 5, Observer())


def test_a_kill_loses_no_more_than_the_steps_since_the_last_checkpoint(tmp_path: Path, undisturbed: str) -> None:
    program = started("-u", PROGRAM, tmp_path, 5)
    assert program.stdout is not None
    assert any(line == "step 18\n" for line in program.stdout)
    os.kill(program.pid, signal.SIGKILL)
    program.communicate()
    assert program.returncode == -signal.SIGKILL

    lines = ended(started(PROGRAM, tmp_path, 5), seconds=300).output().splitlines()
    assert int(lines[0].removeprefix("step ")) > 15
    assert lines[-1] == undisturbed


@pytest.mark.slow
def test_ten_kills_at_any_moment_change_nothing(tmp_path: Path, undisturbed: str) -> None:
    """Saving at every step, so that most kills fall into the writing of a checkpoint."""
    for _ in range(10):
        program = started("-u", PROGRAM, tmp_path, 1)
        assert program.stdout is not None
        for _ in range(3):
            program.stdout.readline()
        os.kill(program.pid, signal.SIGKILL)
        program.communicate()
    assert ended(started(PROGRAM, tmp_path, 1), seconds=300).output().splitlines()[-1] == undisturbed
