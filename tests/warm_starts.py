"""Runs the command in forks of one process that has imported everything: each start costs seconds less than a new one.

A fork has nothing else of that process: TensorFlow has not begun to work there, and each command finds its own devices.
"""

from __future__ import annotations

import atexit
import io
import json
import os
import runpy
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tests.processes import ROOT, Ended, environment


def run_warm(*arguments: str, **environment: str) -> Ended:
    """What `python ARGUMENTS` does in the top directory of this repository."""
    (ended,) = run_warm_together([(arguments, environment)])
    return ended


def run_warm_together(commands: Sequence[tuple[Sequence[str], dict[str, str]]]) -> list[Ended]:
    """Several of them at the same time, until all have ended."""
    server = _server()
    with tempfile.TemporaryDirectory() as directory:
        places = [os.path.join(directory, str(number)) for number in range(len(commands))]
        request = [
            [list(arguments), environment, place]
            for (arguments, environment), place in zip(commands, places, strict=True)
        ]
        print(json.dumps(request), file=server.stdin, flush=True)
        codes = json.loads(server.stdout.readline())  # type: ignore[union-attr]  # it has both
        texts = [[Path(place + end).read_text(encoding="utf-8") for end in (".out", ".err")] for place in places]
    return [Ended(code, *text) for code, text in zip(codes, texts, strict=True)]


@cache
def _server() -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, __file__], cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, env=environment(),
    )  # fmt: skip
    atexit.register(process.kill)
    return process


def import_everything() -> None:
    """What the forks then have."""
    from tfnmt.zoo.verb import load_tensorflow

    load_tensorflow()
    import tensorflow_text  # noqa: F401

    import tfnmt.zoo.showing
    import tfnmt.zoo.training_run
    import tfnmt.zoo.translation_run  # noqa: F401


def forked(work: Callable[[], Any], output: str, errors: str) -> int:
    """The process number of a fork that does the work, its output and its errors written to these files."""
    child = os.fork()
    if child:
        return child
    code: Any = 1
    try:
        sys.stdin = io.StringIO()
        for descriptor, path in ((1, output), (2, errors)):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), descriptor)
        code = work() or 0
    except SystemExit as ended:
        code = ended.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 1)


def _python(arguments: list[str], environment: dict[str, str]) -> None:
    """As the interpreter does with these arguments: `-m MODULE ...` or `PROGRAM ...`."""
    os.environ.update(environment)
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        runpy.run_path(arguments[0], run_name="__main__")


def _serve() -> None:
    """Answer each line of commands by a line of their exit codes."""
    import_everything()
    for line in sys.stdin:
        children = [
            forked(lambda a=arguments, e=environment: _python(a, e), f"{place}.out", f"{place}.err")
            for arguments, environment, place in json.loads(line)
        ]
        print(json.dumps([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]), flush=True)


if __name__ == "__main__":
    _serve()
