"""The last checkpoints, to go on exactly where a run stopped, and the best weights, which no rotation deletes."""

from __future__ import annotations

from pathlib import Path

import keras
import tensorflow as tf

from tfnmt.errors import UserError
from tfnmt.training.averaging import ExponentialAverage
from tfnmt.training.loss_scale import LossScale
from tfnmt.training.state import TrainingState
from tfnmt.training.writing import first_line, writing


class Checkpoints:
    """Writes and reads the checkpoints of one run with `tf.train.CheckpointManager`.

    A checkpoint appears whole or not at all: TensorFlow writes the data first and then replaces the small file
    `checkpoint`, which names it, in one move. It holds every variable of the network (the states of its random seeds
    included), of the optimizer and of the weight average, and the `TrainingState`. A constant learning rate is the one
    variable left out, so that another rate given on resuming is obeyed.

    Variables are kept by their order, not their names: Keras numbers its automatic names by process.

    Args:
        directory: where `last/` and `best/` are made.
        network: built.
        optimizer: built.
        average: built, or `None`.
        keep: how many last checkpoints stay.
        loss_scale: where gradients are scaled.
    """

    def __init__(
        self,
        directory: Path,
        network: keras.Model,
        optimizer: keras.optimizers.Optimizer,
        average: ExponentialAverage | None = None,
        keep: int = 1,
        loss_scale: LossScale | None = None,
    ) -> None:
        self.directory = directory
        weights = [variable.value for variable in network.variables]
        rate = optimizer.learning_rate
        self._state = tf.Variable("", dtype=tf.string, trainable=False, name="training_state")
        everything = tf.train.Checkpoint(
            network=weights,
            optimizer=[variable.value for variable in optimizer.variables if variable is not rate],
            average=[] if average is None else average.variables,
            state=self._state,
            **({"loss_scale": loss_scale.variables} if loss_scale and loss_scale.variables else {}),
        )
        self._last = tf.train.CheckpointManager(everything, str(directory / "last"), max_to_keep=keep)
        self._best = tf.train.CheckpointManager(
            tf.train.Checkpoint(network=weights), str(directory / "best"), max_to_keep=1
        )

    @property
    def last(self) -> Path | None:
        """The prefix of the newest checkpoint; `None` before the first."""
        return _newest(self._last)

    @property
    def best(self) -> Path | None:
        """The prefix of the best weights; `None` before the first validation."""
        return _newest(self._best)

    def save(self, state: TrainingState) -> None:
        """Keep everything as it is now.

        Raises:
            UserError: the directory cannot be written; the previous checkpoint is intact.
        """
        self._state.assign(state.to_json())
        with writing("A checkpoint", self.directory):
            self._last.save(checkpoint_number=state.step)

    def restore(self) -> TrainingState | None:
        """Put everything back as the newest checkpoint has it; `None`, and nothing done, if there is none.

        Raises:
            UserError: the checkpoint belongs to another network or optimizer, or is damaged.
        """
        if self.last is None:
            return None
        _restore(self._last, "The model, its optimizer or its weight average was changed since")
        return TrainingState.from_json(self._state.numpy().decode())

    def save_best(self, step: int) -> None:
        """Keep the network's weights as the best so far, instead of those kept before.

        Raises:
            UserError: the directory cannot be written; the previous best is intact.
        """
        with writing("A checkpoint", self.directory):
            self._best.save(checkpoint_number=step)

    def restore_best(self) -> bool:
        """Put the best weights into the network; false, and nothing done, if there are none.

        Raises:
            UserError: they belong to another network, or are damaged.
        """
        if self.best is None:
            return False
        _restore(self._best, "The model was changed since")
        return True


class ReadCheckpoints(Checkpoints):
    """The same for a worker that is not the chief: it reads what the chief has written, and writes nothing."""

    def save(self, state: TrainingState) -> None:
        """Left to the chief."""

    def save_best(self, step: int) -> None:
        """Left to the chief."""


def _newest(manager: tf.train.CheckpointManager) -> Path | None:
    name = tf.train.latest_checkpoint(manager.directory)  # as the disk has it now, not when the manager was made
    return None if name is None else Path(name)


def _restore(manager: tf.train.CheckpointManager, reason: str) -> None:
    path = _newest(manager)
    try:
        manager.checkpoint.restore(str(path)).assert_consumed()
    except (AssertionError, IndexError, ValueError, tf.errors.OpError) as error:
        raise UserError(
            f"The checkpoint '{path}' does not fit what was asked for. {reason}, or the file is damaged.\n"
            f"Resume with the options the run was started with, or start a new run in another directory.\n"
            f"TensorFlow says: {first_line(error)}"
        ) from error
