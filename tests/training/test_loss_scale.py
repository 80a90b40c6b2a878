"""The loss scale of float16: halved where a gradient overflows, doubled where it has long not, kept in checkpoints."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import tensorflow as tf

from tests.training.stand_in import SmallNetwork
from tfnmt.training.checkpoints import Checkpoints
from tfnmt.training.loss_scale import DynamicLossScale, LossScale
from tfnmt.training.optimizers import SGD
from tfnmt.training.state import TrainingState

INFINITE = math.inf


def after(scale: LossScale, norms: list[float]) -> tuple[list[float], list[int], int]:
    """The scale and whether the update was skipped after each norm, and how many updates were taken."""
    taken = tf.Variable(0)

    @tf.function
    def step(norm: tf.Tensor) -> tf.Tensor:
        return scale.guarded(norm, lambda: tf.raw_ops.AssignAddVariableOp(resource=taken.handle, value=1) and None)

    scales, skips = [], []
    for norm in norms:
        skips.append(int(step(tf.constant(norm))))
        scales.append(float(scale.value))
    return scales, skips, int(taken)


def test_without_a_scale_every_update_is_taken() -> None:
    assert after(LossScale(), [1.0, INFINITE, math.nan]) == ([1.0] * 3, [0] * 3, 3)


def test_the_scale_follows_the_gradients() -> None:
    """Growth after three updates in a row: the count starts again at an overflow and at a growth."""
    norms = [1.0, 1.0, INFINITE, 1.0, 1.0, 1.0, 1.0, math.nan]
    scales, skips, taken = after(DynamicLossScale(8.0, growth_steps=3), norms)
    assert scales == [8.0, 8.0, 4.0, 4.0, 4.0, 8.0, 8.0, 4.0]
    assert skips == [0, 0, 1, 0, 0, 0, 0, 1]
    assert taken == 6


def test_at_the_smallest_scale_a_gradient_that_is_not_finite_is_shown() -> None:
    assert after(DynamicLossScale(2.0), [INFINITE, INFINITE]) == ([1.0, 1.0], [1, 0], 1)


def test_the_loss_is_scaled_up_by_what_its_gradient_is_divided_by() -> None:
    scale = DynamicLossScale(512.0)
    assert float(scale.up(tf.constant(3.0))) == 3.0 * float(scale.value) == 1536.0


@pytest.mark.parametrize("given", [8.0, None])
def test_a_checkpoint_keeps_it(tmp_path: Path, given: float | None) -> None:
    def checkpoints(scale: LossScale | None) -> Checkpoints:
        network, optimizer = SmallNetwork(), SGD(0.1)
        network((tf.constant([[4]]), tf.constant([[4]])))
        optimizer.build(network.trainable_variables)
        return Checkpoints(tmp_path, network, optimizer, loss_scale=scale)

    kept = DynamicLossScale(given, growth_steps=9) if given else LossScale()
    after(kept, [1.0, 1.0])
    checkpoints(kept).save(TrainingState(step=2))
    restored = DynamicLossScale(1.0, growth_steps=9) if given else LossScale()
    checkpoints(restored).restore()
    assert [float(variable) for variable in restored.variables] == ([8.0, 2.0] if given else [])
