"""Takes two training steps of the small network on a cluster of two workers and a parameter server, in one process.

Prints the replicas in sync and the updates that the two batches became, as JSON.
"""

from __future__ import annotations

import json
import os
import socket

import numpy as np
import tensorflow as tf

from tests.training.stand_in import SmallNetwork
from tfnmt.training.optimizers import SGD
from tfnmt.training.step import TrainingStep


def free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


def main() -> None:
    jobs = {"worker": 2, "ps": 1}
    cluster = tf.train.ClusterSpec({job: [f"127.0.0.1:{free_port()}" for _ in range(n)] for job, n in jobs.items()})
    # In one process all wait for each other: fewer threads than servers would wait for ever.
    threads = tf.compat.v1.ConfigProto(inter_op_parallelism_threads=sum(jobs.values()) + 1)
    servers = [
        tf.distribute.Server(cluster, job_name=job, task_index=number, config=threads)
        for job, count in jobs.items()
        for number in range(count)
    ]
    resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(cluster, rpc_layer="grpc")
    strategy = tf.distribute.ParameterServerStrategy(resolver)
    coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
    ids = np.full([2, 3], 4, np.int32)
    with strategy.scope():
        network, optimizer = SmallNetwork(), SGD(0.1)
        network((ids, ids))
        optimizer.build(network.trainable_variables)
    step = tf.function(TrainingStep(strategy, network, optimizer).__call__, autograph=False)
    for _ in range(2):
        coordinator.schedule(step, args=(tf.constant(ids), tf.constant(ids)))
    coordinator.join()
    report = {"replicas in sync": strategy.num_replicas_in_sync, "updates": int(optimizer.iterations.numpy())}
    print(json.dumps(report), flush=True)
    assert servers
    os._exit(0)  # the servers have no way to be stopped


if __name__ == "__main__":
    main()
