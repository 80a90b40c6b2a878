"""How many inputs a test draws, and how long one may take."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

INPUTS = int(os.environ.get("TFNMT_FUZZ_INPUTS", "400"))
SECONDS = 60
"""The longest that one input may take, on a machine that is busy with something else."""


def drawn(share: float, **values: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Calls a test on its share of all inputs."""

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        limits = settings(
            max_examples=max(10, round(INPUTS * share)), deadline=1000 * SECONDS, database=None,
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        return limits(given(**values)(test))

    return decorate
