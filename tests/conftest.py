"""What the tests of the commands share."""

from __future__ import annotations

import pytest

from tests.copy_run import CopyRun, train


@pytest.fixture(scope="session")
def copy_run(tmp_path_factory: pytest.TempPathFactory) -> CopyRun:
    """One tiny translator, trained once by the real command."""
    return train(tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("runs") / "copy")
