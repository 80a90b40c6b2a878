"""Strategies by name, and what is said where one cannot be had."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import tensorflow as tf

from tests.processes import ended, python, started
from tfnmt.errors import UserError
from tfnmt.training.strategies import NO_PARAMETER_SERVER, STRATEGIES, made
from tfnmt.training.team import Team, team


def test_one_device_needs_no_strategy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TF_CONFIG", raising=False)
    for name in ("auto", "single"):
        assert made(name) is tf.distribute.get_strategy()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mirored", "Did you mean 'mirrored'?"),
        ("multiworker", "TF_CONFIG"),
        ("tpu", "No TPU was found"),
        ("parameter-server", NO_PARAMETER_SERVER),
    ],
)
def test_what_cannot_be_had_is_refused_with_the_reason(
    name: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:  # C69
    monkeypatch.delenv("TF_CONFIG", raising=False)
    with pytest.raises(UserError) as caught:
        made(name)
    assert message in str(caught.value)


def test_the_command_refuses_it_before_anything_is_made(tmp_path: Path) -> None:  # C69
    arguments = ["train", "rnnsearch50", "--run", "run", "--strategy", "parameter-server"]
    end = python("-m", "tfnmt", *arguments, cwd=tmp_path)
    assert end.code == 1
    assert end.complained == f"Error: {NO_PARAMETER_SERVER}\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_two_workers_of_a_parameter_server_share_no_batch() -> None:  # C69
    """Keras 3.15 can take a step there, yet each batch is an update of its own, of one worker."""
    report = json.loads(
        ended(started(Path(__file__).with_name("parameter_server.py")), seconds=300).output().splitlines()[-1]
    )
    assert report == {"replicas in sync": 1, "updates": 2}


def test_the_help_names_every_strategy() -> None:
    from tfnmt.zoo import train

    (option,) = (parameter for parameter in train.command.params if parameter.name == "strategy")
    assert all(name in option.help for name in STRATEGIES if name != "parameter-server")  # type: ignore[attr-defined]


def test_a_process_alone_is_its_own_chief() -> None:
    alone = team(tf.distribute.get_strategy())
    assert type(alone) is Team and alone.is_chief and alone.size == 1
    assert alone.agree(interrupted=True, seconds=2.5) == (True, 2.5)
    assert alone.share(0.1) == 0.1
