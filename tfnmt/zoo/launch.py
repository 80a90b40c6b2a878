"""`python -m tfnmt.zoo.launch --workers 2 -- train MODEL ...`: one command in several processes of this machine."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence

import click

from tfnmt.zoo.verb import Verb, run

PROGRAM = ("-m", "tfnmt")
"""What each process runs, with the arguments of the command."""
PATIENCE = 60.0
"""Seconds that the other workers have to end after one has failed."""


@click.command("launch", cls=Verb)
@click.option("--workers", type=click.IntRange(1), default=2, show_default=True, help="How many processes.")
@click.argument("arguments", nargs=-1, required=True)
def command(workers: int, arguments: tuple[str, ...]) -> None:
    """Run a verb of tfnmt as several workers on this machine, which find each other through TF_CONFIG.

    The chief, worker 0, prints what it would alone; the others print their errors alone. Ctrl-C reaches all of them. If
    one fails, the others notice, or are ended after a minute; the exit code is that of the first that failed.

    \b
    Example:
      python -m tfnmt.zoo.launch --workers 2 -- train rnnsearch50 --run runs/two
    """
    addresses = free_addresses(workers)
    processes = [_started(arguments, addresses, number) for number in range(workers)]
    before = signal.signal(signal.SIGTERM, lambda number, _frame: _pass_on(processes, number))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends it to the workers, too
    try:
        code = _ended(processes)
    finally:
        signal.signal(signal.SIGTERM, before)
    raise click.exceptions.Exit(code)


def free_addresses(count: int) -> list[str]:
    """Addresses of this machine that nobody listens at; held all at once, so that they differ."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [f"127.0.0.1:{each.getsockname()[1]}" for each in sockets]
    finally:
        for each in sockets:
            each.close()


def configuration(addresses: Sequence[str], number: int) -> str:
    """TF_CONFIG of one of the workers at these addresses."""
    return json.dumps({"cluster": {"worker": addresses}, "task": {"type": "worker", "index": number}})


def _started(arguments: Sequence[str], addresses: Sequence[str], number: int) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "TF_CONFIG": configuration(addresses, number)}
    output = None if number == 0 else subprocess.DEVNULL
    return subprocess.Popen([sys.executable, *PROGRAM, *arguments], env=environment, stdout=output)


def _pass_on(processes: Sequence[subprocess.Popen[bytes]], number: int) -> None:
    for process in processes:
        if process.poll() is None:
            process.send_signal(number)


def _ended(processes: Sequence[subprocess.Popen[bytes]]) -> int:
    """Wait for all; the first exit code that is not 0, as a shell tells it."""
    failed, since = 0, 0.0
    while running := [process for process in processes if process.poll() is None]:
        codes = [process.returncode for process in processes if process.returncode]
        if codes and not failed:
            failed, since = codes[0], time.monotonic()
        if failed and time.monotonic() - since > PATIENCE:
            for process in running:
                process.kill()
        time.sleep(0.1)
    failed = failed or next((process.returncode for process in processes if process.returncode), 0)
    return 128 - failed if failed < 0 else failed


if __name__ == "__main__":
    run(command, "python -m tfnmt.zoo.launch")
