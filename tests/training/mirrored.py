"""Trains the same batches on one device and on two logical ones; prints how far the weights are apart, as JSON."""

from __future__ import annotations

import json
import tempfile
from typing import Any

import numpy as np
import tensorflow as tf

from tests.training.stand_in import SmallBatches, SmallNetwork
from tfnmt.training.averaging import ExponentialAverage
from tfnmt.training.budget import Budget
from tfnmt.training.normalization import LossNormalization
from tfnmt.training.optimizers import Adadelta, Adam
from tfnmt.training.step import shard
from tfnmt.training.trainer import Trainer
from tfnmt.training.validation import LikelihoodValidation

OPTIMIZERS = {
    "Adadelta": lambda: Adadelta(1.0, epsilon=1e-6),
    "Adam": lambda: Adam(1e-2, lazy=True),  # rows of the embedding, gathered from both replicas
}


def trained(strategy: tf.distribute.Strategy, name: str, accumulate: int = 1) -> tuple[list[np.ndarray], float]:
    batches = SmallBatches(pairs=15, batch_size=7)  # batches of 7, 7 and 1
    with strategy.scope():
        network, average = SmallNetwork(), ExponentialAverage(0.9)
        trainer = Trainer(
            network,
            OPTIMIZERS[name](),
            batches,
            tempfile.mkdtemp(),
            normalization=LossNormalization.TOKEN,
            clip_norm=0.5,
            average=average,
            budget=Budget(epochs=3),
            accumulate=accumulate,
        )
        trainer.train()
    validation = LikelihoodValidation(strategy, network, list(batches.epoch(0)))
    variables: list[Any] = [*network.trainable_variables, *average.averages]
    return [variable.numpy() for variable in variables], validation()["loss"]


def main() -> None:
    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
    mirrored = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    differences, moved = {}, 0.0
    for name, accumulate in zip(OPTIMIZERS, (1, 2), strict=True):
        one, one_loss = trained(tf.distribute.get_strategy(), name)
        two, two_loss = trained(mirrored, name, accumulate)
        differences[name] = max(float(np.abs(a - b).max()) for a, b in zip(one, two, strict=True))
        moved = max(moved, float(np.abs(one[0] - one[5]).max()))  # the embedding and its lagging average
    ids = tf.reshape(tf.range(7), [7, 1])
    shards = mirrored.experimental_local_results(tf.function(lambda: mirrored.run(shard, args=(ids,)))())
    report = {
        "replicas": mirrored.num_replicas_in_sync,
        "shards": [rows.numpy().ravel().tolist() for rows in shards],
        "differences": differences,
        "moved": moved,
        "validation": [one_loss, two_loss],
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
