"""Trains the small network with dropout on two logical devices, at once and in two parts; prints a report as JSON."""

from __future__ import annotations

import json
import tempfile

import numpy as np
import tensorflow as tf

from tests.training.stand_in import SmallBatches, SmallNetwork
from tfnmt.training.budget import Budget
from tfnmt.training.optimizers import SGD
from tfnmt.training.trainer import Trainer


def trained(strategy: tf.distribute.Strategy, directory: str, *limits: int) -> list[list[np.ndarray]]:
    """The variables of the network on each device, after the last part."""
    for steps in limits:
        with strategy.scope():
            network, optimizer = SmallNetwork(dropout=0.5), SGD(0.1)
            trainer = Trainer(network, optimizer, SmallBatches(), directory, budget=Budget(steps=steps))
        trainer.train()
    return [[copy.numpy() for copy in strategy.experimental_local_results(v.value)] for v in network.variables]


def main() -> None:
    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
    mirrored = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    whole, parts = trained(mirrored, tempfile.mkdtemp(), 6), trained(mirrored, tempfile.mkdtemp(), 3, 6)
    report = {
        "copies that differ": sum(not np.array_equal(*copies) for copies in whole),
        "changed by a stop": sum(not np.array_equal(a, b) for a, b in zip(whole, parts, strict=True)),
        "variables": len(whole),
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
