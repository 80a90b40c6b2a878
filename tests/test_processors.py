"""What is said about threads reaches TensorFlow before it begins, and is no error after."""

from __future__ import annotations

import os

import pytest
import tensorflow as tf

from tests.processes import python
from tfnmt.processors import processors, threads_of_an_operation

PROGRAM = """
from tfnmt.zoo.verb import load_tensorflow; load_tensorflow()
import tensorflow as tf; print(tf.config.threading.get_intra_op_parallelism_threads())
"""


def test_those_that_this_process_may_use() -> None:
    assert 1 <= processors() <= (os.cpu_count() or 1)


@pytest.mark.parametrize(("variable", "threads"), [(None, "1"), ("3", "0")])
def test_a_command_gives_an_operation_one_thread_unless_the_environment_says_otherwise(
    variable: str | None, threads: str
) -> None:
    said = python("-c", PROGRAM, TF_NUM_INTRAOP_THREADS=variable).output()
    assert said.strip() == threads


def test_after_the_beginning_it_changes_nothing() -> None:
    tf.constant(0)
    before = tf.config.threading.get_intra_op_parallelism_threads()
    threads_of_an_operation(7)
    assert tf.config.threading.get_intra_op_parallelism_threads() == before
