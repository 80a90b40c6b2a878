"""`tfnmt average`."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import tensorflow as tf
from click.testing import CliRunner

from tests.copy_run import CopyRun, copy_sentences
from tfnmt.zoo import average, translators


def test_the_mean_of_the_kept_checkpoints_is_a_translator_of_its_own(copy_run: CopyRun, tmp_path: Path) -> None:
    directory = tmp_path / "run"
    shutil.copytree(copy_run.directory, directory)
    kept = directory / "checkpoints" / "last"
    network = translators.load(str(directory)).network
    checkpoint = tf.train.Checkpoint(network=[variable.value for variable in network.variables])
    checkpoint.restore(tf.train.latest_checkpoint(kept)).expect_partial()
    last = network.get_weights()
    network.set_weights([3 * weight for weight in last])
    tf.train.CheckpointManager(checkpoint, str(kept), max_to_keep=2).save(checkpoint_number=121)
    result = CliRunner().invoke(average.command, [str(directory)])
    assert result.exit_code == 0, result.output
    averaged = directory / "averaged.keras"
    assert result.output == f"{averaged}: the mean of the checkpoints of steps 120, 121\n"
    translator = translators.load(str(averaged))
    for found, weight in zip(translator.network.get_weights(), last, strict=True):
        np.testing.assert_allclose(found, 2 * weight, rtol=1e-5, atol=1e-6)
    assert len(translator.translate(copy_sentences()[:2])) == 2


def test_what_cannot_be_averaged_is_told(copy_run: CopyRun, tmp_path: Path) -> None:
    for arguments, message in (
        ([str(copy_run.directory)], "holds 1 checkpoints, and a mean needs 2"),
        ([str(tmp_path)], "is not the directory of a run"),
    ):
        result = CliRunner().invoke(average.command, arguments)
        assert result.exit_code == 1
        assert message in result.stderr
