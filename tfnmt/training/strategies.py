"""The `tf.distribute` strategies by name, each made from what this process finds: its devices and `TF_CONFIG`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import tensorflow as tf

from tfnmt.errors import UserError, nearest

Strategy: TypeAlias = tf.distribute.Strategy

NO_PARAMETER_SERVER = (
    "Parameter servers share no batch: each worker updates the weights by itself, from weights that others changed "
    "meanwhile, so that N workers would not end in the weights of one, and no run could be resumed bit for bit. The "
    "strategies that share each batch are mirrored (all devices of one machine) and multiworker (several machines)."
)
"""Shown by a minimal case in `tests/training/test_strategies.py`."""


def made(name: str, cpu_devices: int = 1) -> Strategy:
    """The strategy of a name. To be called before TensorFlow has done anything: it settles the devices.

    Args:
        name: a key of `STRATEGIES`.
        cpu_devices: how many logical devices the CPU is split into, for trying `mirrored` on a machine without GPUs.

    Raises:
        UserError: no such strategy, or this machine has not what it needs.
    """
    if name not in STRATEGIES:
        raise UserError(f"No strategy '{name}'. {nearest(name, STRATEGIES)}")
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)  # a run takes what it needs, not the whole device
    if cpu_devices > 1:
        (cpu, *_) = tf.config.list_physical_devices("CPU")
        tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * cpu_devices)
    return STRATEGIES[name]()


def _auto() -> Strategy:
    """Several workers if `TF_CONFIG` names them, else TPUs, else all GPUs, else the one device there is."""
    workers = sum(len(addresses) for addresses in _cluster().values())
    if workers > 1:
        return _multiworker()
    if tf.config.list_physical_devices("TPU"):
        return _tpu()
    return _mirrored() if len(tf.config.list_logical_devices("GPU")) > 1 else _single()


def _single() -> Strategy:
    return tf.distribute.get_strategy()


def _mirrored() -> Strategy:
    devices = tf.config.list_logical_devices("GPU") or tf.config.list_logical_devices("CPU")
    return tf.distribute.MirroredStrategy([f"{device.device_type}:{n}" for n, device in enumerate(devices)])


def _multiworker() -> Strategy:
    if not _cluster():
        raise UserError(
            "The multiworker strategy needs the environment variable TF_CONFIG, which names the workers and which of "
            "them this is. `python -m tfnmt.zoo.launch` sets it; docs/distribution.md shows how else."
        )
    try:
        return tf.distribute.MultiWorkerMirroredStrategy()
    except (tf.errors.OpError, RuntimeError) as error:
        raise UserError(f"The workers did not find each other: {str(error).splitlines()[0]}") from error


def _parameter_server() -> Strategy:
    raise UserError(NO_PARAMETER_SERVER)


def _tpu() -> Strategy:
    try:
        resolver = tf.distribute.cluster_resolver.TPUClusterResolver()
        tf.config.experimental_connect_to_cluster(resolver)
        tf.tpu.experimental.initialize_tpu_system(resolver)
    except (ValueError, tf.errors.OpError, OSError) as error:
        raise UserError(f"No TPU was found: {str(error).splitlines()[0]}") from error
    return tf.distribute.TPUStrategy(resolver)


def _cluster() -> Mapping[str, list[str]]:
    return tf.distribute.cluster_resolver.TFConfigClusterResolver().cluster_spec().as_dict()


STRATEGIES: Mapping[str, Callable[[], Strategy]] = {
    "auto": _auto,
    "single": _single,
    "mirrored": _mirrored,
    "multiworker": _multiworker,
    "parameter-server": _parameter_server,
    "tpu": _tpu,
}
