"""The processors of this machine, and how TensorFlow divides its work among them."""

from __future__ import annotations

import os


def processors() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def threads_of_an_operation(number: int) -> None:
    """How many processors one operation may use; to be called before TensorFlow has done anything, else it is too late.

    A recurrent network is thousands of small operations, each of which waits for another. Two processors that share
    each of them gain little; two that work on a batch each, or on a part of a batch, gain almost all there is
    (`docs/performance.md`). The environment variable `TF_NUM_INTRAOP_THREADS` goes before this.
    """
    import tensorflow as tf

    if "TF_NUM_INTRAOP_THREADS" in os.environ:
        return
    try:
        tf.config.threading.set_intra_op_parallelism_threads(number)
    except RuntimeError:  # a program of somebody's own, which has begun already
        return
