"""The Slurm script and the Kubernetes manifest tell each worker who it is; stand-ins take their programs' place."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

FOLDER = Path(__file__).parents[2] / "export"


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A directory of programs for PATH; `tfnmt` there writes down what it was started with."""
    stand_ins = {
        "tfnmt": 'printf "%s\\n%s\\n" "$(echo "$TF_CONFIG" | tr "\\n" " ")" "$*"',
        "scontrol": '[ "$*" = "show hostnames n[1-2]" ] && printf "n1\\nn2\\n"',
        "srun": 'shift; for SLURM_PROCID in 0 1; do export SLURM_PROCID; "$@"; done',
    }
    for name, script in stand_ins.items():
        (tmp_path / name).write_text(f"#!/bin/bash\n{script}\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    return tmp_path


def said(programs: Path, *command: str, **environment: str) -> list[str]:
    path = f"{programs}:{os.environ['PATH']}"
    process = subprocess.run(
        command, capture_output=True, text=True, check=True, env={**os.environ, "PATH": path, **environment}
    )
    return process.stdout.splitlines()


def test_slurm_starts_one_worker_a_node(programs: Path) -> None:
    script = str(FOLDER / "train.slurm")
    options = ["rnnsearch50", "--data", "my data"]
    lines = said(programs, script, *options, SLURM_JOB_NODELIST="n[1-2]", SLURM_JOB_ID="41")
    teams, commands = [json.loads(line) for line in lines[::2]], lines[1::2]
    assert [team["task"] for team in teams] == [{"type": "worker", "index": number} for number in range(2)]
    assert all(team["cluster"] == {"worker": ["n1:20041", "n2:20041"]} for team in teams)
    assert commands == ["train rnnsearch50 --data my data"] * 2


def test_kubernetes_starts_as_many_pods_as_the_workers_it_names(programs: Path) -> None:
    service, job = yaml.safe_load_all((FOLDER / "train.kubernetes.yaml").read_text(encoding="utf-8"))
    (container,) = job["spec"]["template"]["spec"]["containers"]
    (script,) = container["args"]
    for number in range(job["spec"]["completions"]):
        team, command = said(programs, *container["command"], script, JOB_COMPLETION_INDEX=str(number))
        team = json.loads(team)
        assert team["task"] == {"type": "worker", "index": number}
        workers = team["cluster"]["worker"]
        assert len(workers) == job["spec"]["completions"] == job["spec"]["parallelism"]
        assert workers[number].startswith(f"{job['metadata']['name']}-{number}.{service['metadata']['name']}:")
        assert workers[number].endswith(f":{container['ports'][0]['containerPort']}")
        assert re.match(r"train rnnsearch50 --data /shared", command)
    assert service["spec"]["selector"] == {"job-name": job["metadata"]["name"]}
    assert job["spec"]["template"]["spec"]["subdomain"] == service["metadata"]["name"]
