"""Dropout on several devices."""

from __future__ import annotations

import json

from tests.warm_starts import run_warm


def test_each_device_draws_for_itself_and_a_stop_changes_nothing() -> None:
    """The seeds of the two devices differ, nothing else does, and a resumed run draws on as if it had not stopped."""
    report = json.loads(run_warm("tests/training/apart.py").output())
    assert report["copies that differ"] == 1
    assert report["changed by a stop"] == 0
    assert report["variables"] == 6
