"""Commands that run inside the tests share what they load."""

from __future__ import annotations

from functools import cache

import pytest

from tfnmt.zoo import translators

LOAD_ONCE = cache(translators.load)


@pytest.fixture(autouse=True)
def loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading and tracing take seconds; each file is loaded by the first command that wants it."""
    monkeypatch.setattr(translators, "load", LOAD_ONCE)
