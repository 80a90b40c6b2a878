"""Trains through the real command, killed at random moments again and again, then to its end; prints a report as JSON.

The command runs in forks of this process, which has imported everything, so that a kill costs seconds less. Arguments:
the number of kills, a seed, and the command's own arguments, among them `--run DIRECTORY`.

Of four kills one falls at any moment of the start, one between two steps, and two while a checkpoint is written.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tfnmt.zoo.main import command
from tfnmt.zoo.verb import load_tensorflow

PATIENCE = 300.0
BEFORE_THE_FIRST_STEP = 6.0
"""Seconds within which a kill falls that hits the start of a run."""


def begun(arguments: list[str]) -> int:
    """The process number of a fork that runs the command."""
    child = os.fork()
    if child:
        return child
    try:
        with open(os.devnull, "wb") as nothing:
            os.dup2(nothing.fileno(), 1)
        code = command.main(arguments, prog_name="tfnmt", standalone_mode=False)
        os._exit(code or 0)
    except BaseException as error:
        print(type(error).__name__, error, file=sys.stderr, flush=True)
        os._exit(int(getattr(error, "exit_code", 1)))


def ended(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def wait(ready: Callable[[], bool], child: int) -> None:
    """Until it is so, or the run has ended by itself."""
    end = time.monotonic() + PATIENCE
    while not ready() and time.monotonic() < end:
        if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            return
        time.sleep(0.002)


def unfinished(last: Path) -> list[Path]:
    """Files of a checkpoint that `checkpoint` does not name."""
    return [path for path in last.glob("ckpt-*") if f'"{path.name.split(".")[0]}"' not in named(last)]


def named(last: Path) -> str:
    """What `checkpoint` says; it is replaced in one move."""
    return (last / "checkpoint").read_text(encoding="utf-8") if (last / "checkpoint").is_file() else ""


def main(kills: int, seed: int, arguments: list[str]) -> None:
    load_tensorflow()
    import tfnmt.zoo.showing
    import tfnmt.zoo.training_run  # noqa: F401  # each fork has it then

    last = Path(arguments[arguments.index("--run") + 1]) / "checkpoints" / "last"
    draw = random.Random(seed)
    halves = survived = 0
    for number in range(kills):
        child = begun(arguments)
        if number % 4 == 0:
            time.sleep(draw.uniform(0.0, BEFORE_THE_FIRST_STEP))
        elif number % 2 == 0:
            before = named(last)
            wait(lambda before=before: named(last) != before, child)
            time.sleep(draw.uniform(0.0, 0.5))
        else:
            before = set(unfinished(last))
            wait(lambda before=before: not before >= set(unfinished(last)), child)
            time.sleep(draw.uniform(0.0, 0.03))
        os.kill(child, signal.SIGKILL)
        survived += ended(child) != -signal.SIGKILL
        halves += bool(unfinished(last))
    child = begun(arguments)
    report = {"kills": kills, "in the writing of a checkpoint": halves, "too late": survived, "code": ended(child)}
    print(json.dumps(report), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
