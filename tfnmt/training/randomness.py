"""Random draws of the replicas: each its own, so that dropout does not strike all shares of a batch alike."""

from __future__ import annotations

import keras
import tensorflow as tf

_APART = 1_000_003
"""Between the seeds of two replicas."""


def draw_apart(strategy: tf.distribute.Strategy, network: keras.Model) -> None:
    """Gives the random seeds of each replica a distance from those of the first, which a checkpoint keeps.

    A strategy begins with equal copies of every variable, and restores them so. To be called whenever all are equal.
    """
    seeds = [variable.value for variable in network.variables if variable.path.endswith("seed_generator_state")]
    if strategy.num_replicas_in_sync == 1 or not seeds:
        return

    def move() -> None:
        replica = tf.distribute.get_replica_context().replica_id_in_sync_group
        for seed in seeds:
            own = tf.cast(seed.read_value(), tf.int64) + tf.cast(replica, tf.int64) * tf.constant([_APART, 0], tf.int64)
            tf.raw_ops.AssignVariableOp(resource=seed.handle, value=tf.cast(own, seed.dtype))

    tf.function(lambda: strategy.run(move), autograph=False)()
