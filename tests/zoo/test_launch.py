"""`python -m tfnmt.zoo.launch`: several processes as one command; stand-ins take the place of the training."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

from tests.processes import ended, started


def launch(tmp_path: Path, program: str, workers: int = 3) -> subprocess.Popen[str]:
    """Starts the launcher on this program in the place of ours."""
    stand_in = tmp_path / "stand_in.py"
    header = "import json, os, signal, sys, time\nteam = json.loads(os.environ['TF_CONFIG'])\n"
    stand_in.write_text(f"{header}number = team['task']['index']\n{program}", encoding="utf-8")
    start = (
        f"from tfnmt.zoo import launch; launch.PROGRAM = [{str(stand_in)!r}]; launch.PATIENCE = 1.0; "
        f"launch.command(['--workers', '{workers}', '--', 'train', 'x y'])"
    )
    return started("-c", start, cwd=tmp_path)


def test_each_worker_knows_all_addresses_and_its_own_number(tmp_path: Path) -> None:
    program = "open(f'{number}.json', 'w').write(json.dumps([team, sys.argv[1:]])); print('worker', number)"
    assert ended(launch(tmp_path, program), seconds=60) == (0, "worker 0\n", "")
    teams = [json.loads((tmp_path / f"{number}.json").read_text(encoding="utf-8")) for number in range(3)]
    assert [team["task"] for team, _ in teams] == [{"type": "worker", "index": number} for number in range(3)]
    (addresses,) = {tuple(team["cluster"]["worker"]) for team, _ in teams}
    assert len(set(addresses)) == 3
    assert all(arguments == ["train", "x y"] for _, arguments in teams)


def test_the_others_do_not_outlive_one_that_failed(tmp_path: Path) -> None:
    process = launch(tmp_path, "sys.exit('disk full') if number == 1 else time.sleep(600)")
    _, complained = process.communicate(timeout=60)
    assert process.returncode == 1
    assert complained == "disk full\n"


def test_a_polite_kill_reaches_all_of_them(tmp_path: Path) -> None:
    program = (
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))\nopen(f'{number}.ready', 'w').close()\ntime.sleep(600)"
    )
    process = launch(tmp_path, program)
    while len(list(tmp_path.glob("*.ready"))) < 3:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 130
