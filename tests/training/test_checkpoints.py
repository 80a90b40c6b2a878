"""What is kept of a run, and what no rotation takes away."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.training.stand_in import SmallNetwork
from tfnmt.errors import UserError
from tfnmt.training.averaging import ExponentialAverage
from tfnmt.training.checkpoints import Checkpoints
from tfnmt.training.optimizers import Adam
from tfnmt.training.state import TrainingState


class Parts:
    """A network, an optimizer and an average that have seen a few updates."""

    def __init__(self, directory: Path, units: int = 4, rate: float = 0.01, updates: int = 0, keep: int = 2) -> None:
        self.network = SmallNetwork(units, dropout=0.5, seed=units)
        ids = np.full([1, 1], 5, np.int32)
        self.network((ids, ids))
        self.optimizer = Adam(rate)
        self.optimizer.build(self.network.trainable_variables)
        self.average = ExponentialAverage()
        self.average.build(self.network.trainable_variables)
        for _ in range(updates):
            self.network((ids, ids), training=True)
            self.optimizer.apply([weight * 0.1 + 1.0 for weight in self.network.trainable_variables])
            self.average.update()
        self.checkpoints = Checkpoints(directory, self.network, self.optimizer, self.average, keep)

    def values(self) -> list[np.ndarray]:
        variables = [*self.network.variables, *self.optimizer.variables, *self.average.variables]
        return [variable.numpy() for variable in variables]


def test_everything_comes_back_bit_for_bit(tmp_path: Path) -> None:
    written, fresh = Parts(tmp_path, updates=3), Parts(tmp_path)
    state = TrainingState(3, 1, 2, best_value=0.1 + 0.2, best_step=2, seconds=1 / 3)
    written.checkpoints.save(state)
    assert fresh.checkpoints.restore() == state
    for one, two in zip(written.values(), fresh.values(), strict=True):
        np.testing.assert_array_equal(one, two)
    assert any("seed" in variable.path for variable in fresh.network.variables)  # dropout goes on where it was


def test_nothing_is_restored_from_nothing(tmp_path: Path) -> None:
    parts = Parts(tmp_path)
    assert parts.checkpoints.restore() is None
    assert not parts.checkpoints.restore_best()


def test_rotation_keeps_the_newest_and_never_takes_the_best(tmp_path: Path) -> None:  # C65
    parts = Parts(tmp_path, keep=2)
    embedding = parts.network.embedding.embeddings
    for step, bleu in enumerate([5, 9, 7, 6, 4, 3], start=1):
        embedding.assign(np.full(embedding.shape, bleu))
        if bleu in (5, 9):
            parts.checkpoints.save_best(step)
        parts.checkpoints.save(TrainingState(step=step))
    assert {path.name for path in (tmp_path / "last").glob("*.index")} == {"ckpt-5.index", "ckpt-6.index"}
    assert {path.name for path in (tmp_path / "best").glob("*.index")} == {"ckpt-2.index"}

    again = Parts(tmp_path)
    assert again.checkpoints.restore_best()
    assert np.all(again.network.embedding.embeddings.numpy() == 9)
    assert again.checkpoints.restore() == TrainingState(step=6)
    assert np.all(again.network.embedding.embeddings.numpy() == 3)


def test_a_constant_rate_given_on_resuming_is_obeyed(tmp_path: Path) -> None:  # C64
    Parts(tmp_path, rate=0.01, updates=1).checkpoints.save(TrainingState(step=1))
    resumed = Parts(tmp_path, rate=0.5)
    resumed.checkpoints.restore()
    assert float(resumed.optimizer.learning_rate) == 0.5
    assert int(resumed.optimizer.iterations) == 1


def test_another_shape_is_refused(tmp_path: Path) -> None:  # C64
    Parts(tmp_path, units=4).checkpoints.save(TrainingState())
    with pytest.raises(UserError, match="does not fit"):
        Parts(tmp_path, units=5).checkpoints.restore()


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    Parts(tmp_path).checkpoints.save(TrainingState())
    data = next((tmp_path / "last").glob("*.data*"))
    data.write_bytes(data.read_bytes()[:100])
    with pytest.raises(UserError, match="damaged"):
        Parts(tmp_path).checkpoints.restore()


def test_a_directory_that_cannot_be_written_is_named_and_the_checkpoint_before_stays(tmp_path: Path) -> None:
    parts = Parts(tmp_path)
    parts.checkpoints.save(TrainingState(step=1))
    (tmp_path / "last").rename(tmp_path / "kept")
    (tmp_path / "last").write_text("in the way")
    with pytest.raises(UserError, match="could not be written"):
        parts.checkpoints.save(TrainingState(step=2))
    (tmp_path / "last").unlink()
    (tmp_path / "kept").rename(tmp_path / "last")
    assert Parts(tmp_path).checkpoints.restore() == TrainingState(step=1)
