"""One update against the gradient written out by hand, on one device and on two."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tests.models.networks import SOURCE_IDS, TARGET_IDS, of_tasks
from tests.training.stand_in import SmallBatches, SmallNetwork
from tests.warm_starts import run_warm
from tfnmt.training.normalization import LossNormalization
from tfnmt.training.optimizers import SGD, Adam
from tfnmt.training.step import TrainingStep


def built(network: SmallNetwork) -> SmallNetwork:
    ids = np.full([1, 1], 4, np.int32)
    network((ids, ids))
    return network


@pytest.mark.parametrize(
    ("normalization", "divisor"),
    [(LossNormalization.SUM, 1), (LossNormalization.SENTENCE, 5), (LossNormalization.TOKEN, None)],
)
@pytest.mark.parametrize("clip_norm", [None, 0.01, 1e6])
def test_an_update_is_the_clipped_gradient_of_the_normalised_sum(
    normalization: LossNormalization, divisor: int | None, clip_norm: float | None
) -> None:
    batch = SmallBatches(pairs=5).batch(np.arange(5))
    network, rate = built(SmallNetwork()), 0.5
    before = [weight.numpy() for weight in network.trainable_variables]
    tokens = np.count_nonzero(batch.target_ids) + 5  # one end symbol a sentence
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(network.token_losses(batch.source_ids, batch.target_ids, training=True))
    raw = tape.gradient(loss, [weight.value for weight in network.trainable_variables])
    gradients = [tf.convert_to_tensor(gradient).numpy() / (divisor or tokens) for gradient in raw]
    norm = np.sqrt(sum(np.sum(gradient.astype(np.float64) ** 2) for gradient in gradients))
    factor = 1.0 if clip_norm is None else min(1.0, clip_norm / norm)

    optimizer = SGD(rate)
    optimizer.build(network.trainable_variables)
    step = TrainingStep(tf.distribute.get_strategy(), network, optimizer, normalization, clip_norm)
    result = step(batch.source_ids, batch.target_ids)

    assert float(result.loss) == pytest.approx(float(loss), rel=1e-5)
    assert int(result.tokens) == tokens
    assert float(result.gradient_norm) == pytest.approx(norm, rel=1e-5)
    assert float(result.learning_rate) == rate
    for old, gradient, weight in zip(before, gradients, network.trainable_variables, strict=True):
        np.testing.assert_allclose(weight.numpy(), old - rate * factor * gradient, rtol=1e-5, atol=1e-7)


def test_a_batch_of_one_task_updates_the_encoder_and_that_task_alone() -> None:  # K13
    network = of_tasks("de", "fr")
    optimizer = Adam(0.1)  # whose averages would move every weight that it is given
    optimizer.build(network.trainable_variables)
    step = TrainingStep(tf.distribute.get_strategy(), network, optimizer)
    for first, second in (("de", "fr"), ("fr", "de")):
        kept = [variable.numpy() for variable in network.task(second).decoder.variables]
        moved = network.encoder.get_weights(), network.task(first).decoder.get_weights()
        step(SOURCE_IDS, TARGET_IDS, first)
        for variable, before in zip(network.task(second).decoder.variables, kept, strict=True):
            np.testing.assert_array_equal(variable, before)
        now = network.encoder.get_weights(), network.task(first).decoder.get_weights()
        for one, other in zip(moved, now, strict=True):
            assert all(np.max(np.abs(new - old)) > 0 for old, new in zip(one, other, strict=True))


def test_all_batch_shapes_share_one_graph() -> None:
    network = built(SmallNetwork())
    traces = []
    network.token_losses = lambda *arguments, original=network.token_losses, **options: (
        traces.append(1),
        original(*arguments, **options),
    )[1]
    optimizer = SGD(0.1)
    optimizer.build(network.trainable_variables)
    step = TrainingStep(tf.distribute.get_strategy(), network, optimizer)
    for batch in SmallBatches(pairs=13, batch_size=4).epoch(0):
        step(batch.source_ids, batch.target_ids)
    assert len(traces) == 1


def test_two_devices_compute_what_one_does() -> None:  # C67
    """Seven sentences on two replicas, then one, so that a replica has none; gradients of whole tables, and of rows,
    those in two parts on each replica, of which then three are empty."""
    report = json.loads(run_warm("tests/training/mirrored.py").output())
    assert report["replicas"] == 2
    assert report["shards"] == [[0, 2, 4, 6], [1, 3, 5]]
    # float32 sums in another order; weights are of the order of 0.1
    assert max(report["differences"].values()) < 1e-6, report
    assert report["moved"] > 1e-3
    assert report["validation"][0] == pytest.approx(report["validation"][1], rel=1e-6)


@pytest.mark.parametrize("pairs", [7, 1])  # of one pair, two parts are empty
@pytest.mark.parametrize(
    "optimizer", [lambda: SGD(0.5), lambda: Adam(0.1, epsilon=1e-3, lazy=True)], ids=["SGD", "lazy"]
)
@pytest.mark.parametrize("division", [{"accumulate": 3}, {"lanes": 3}, {"accumulate": 2, "lanes": 2}], ids=str)
def test_the_parts_of_a_batch_make_the_update_of_the_whole(
    division: dict[str, int], pairs: int, optimizer: Callable[[], Any]
) -> None:
    batch = SmallBatches(pairs=pairs).batch(np.arange(pairs))

    def stepped(**division: int) -> tuple[list[float], list[np.ndarray]]:
        network, rule = built(SmallNetwork()), optimizer()
        rule.build(network.trainable_variables)
        step = TrainingStep(tf.distribute.get_strategy(), network, rule, LossNormalization.TOKEN, 0.1, **division)
        results = [float(value) for _ in range(2) for value in step(batch.source_ids, batch.target_ids)]
        return results, [weight.numpy() for weight in network.trainable_variables]

    (whole, weights), (parts, weights_of_parts) = stepped(), stepped(**division)
    assert parts == pytest.approx(whole, rel=1e-5)
    for one, other in zip(weights, weights_of_parts, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)
