"""Training and translation run on a GPU: by the registry's word each operation has a kernel there, or works on strings.

No GPU is needed: TensorFlow's C API tells the kernels that the installed build registers, those for GPUs among them.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import keras
import pytest
import tensorflow as tf
from tensorflow.core.framework import kernel_def_pb2

from tests.decoding.tiny import tiny_translator
from tests.end_to_end.tiny_runs import overrides
from tests.export.c_api import Library, Pointer
from tfnmt.training.step import TrainingStep
from tfnmt.zoo import builder, shelf

VOCABULARY_SIZE = 40
ON_GPU = {"GPU", "DEFAULT"}
"""DEFAULT is a kernel for any device that has none of its own: it moves or names data, and computes nothing."""

ON_THE_HOST = {
    "the text itself, which lies in the host's memory: strings to ids before the network, and back after it": {
        "AsString", "CaseFoldUTF8", "NormalizeUTF8", "SentencepieceDetokenizeOp", "SentencepieceOp",
        "SentencepieceTokenizeOp", "StaticRegexFullMatch", "StaticRegexReplace", "StringJoin", "StringLower",
        "StringSplitV2", "StringStrip", "UnicodeTranscode", "UnsortedSegmentJoin",
    },
    "tables from words to ids": {"LookupTableFindV2"},
    "rows of different lengths, which are strings, or the ids that strings become": {
        "RaggedGather", "RaggedRange", "RaggedTensorToTensor",
    },
}  # fmt: skip


class Buffer(ctypes.Structure):
    """TF_Buffer."""

    _fields_ = (("data", Pointer), ("length", ctypes.c_size_t), ("deallocator", Pointer))


LIBRARY = Library()


@cache
def devices(operation: str) -> frozenset[str]:
    """The kinds of device that have a kernel for an operation."""
    found = LIBRARY.checked("TF_GetRegisteredKernelsForOp", ctypes.POINTER(Buffer), operation.encode())
    kernels = kernel_def_pb2.KernelList.FromString(ctypes.string_at(found.contents.data, found.contents.length))
    LIBRARY.call("TF_DeleteBuffer", None, found)
    return frozenset(kernel.device_type for kernel in kernels.kernel)


def operations(function: Any) -> set[str]:
    """Those of a function and of all that it calls: loops, branches, gradients."""
    graph = function.graph.as_graph_def()
    functions = {part.signature.name for part in graph.library.function}
    nodes = [*graph.node, *(node for part in graph.library.function for node in part.node_def)]
    return {node.op for node in nodes} - functions


def without_gpu(function: Any) -> set[str]:
    return {operation for operation in operations(function) if not devices(operation) & ON_GPU}


def test_the_registry_tells_what_is_known_of_it() -> None:
    """Where this fails, the installed TensorFlow was built without GPUs, and all the rest fails, too."""
    assert {"CPU", "GPU"} <= devices("MatMul")
    assert devices("StringSplitV2") == {"CPU"}


def training_step(model: str, precision: str) -> Any:
    recipe = shelf.load(model, overrides=overrides(model))
    keras.config.set_dtype_policy(precision)
    try:
        network = builder.network(recipe, VOCABULARY_SIZE, VOCABULARY_SIZE)
        network.build()
    finally:
        keras.config.set_dtype_policy("float32")
    optimizer = builder.build(shelf.load(model).training.optimizer, {"steps_per_epoch": 100})
    optimizer.build(network.trainable_variables)
    step = TrainingStep(tf.distribute.get_strategy(), network, optimizer, clip_norm=1.0)
    return step.function().get_concrete_function()


OF_ONE_NETWORK = [name for name in shelf.names() if shelf.load(name).prepared_by.endswith("translation_run:prepare")]
"""The others train parts of these: their encoders, decoders and outputs."""


@pytest.mark.parametrize("model", ["rnnsearch50", "luong_local_p"])
def test_no_operation_of_training_lacks_a_kernel(model: str) -> None:
    assert without_gpu(training_step(model, "float32")) == set()


@pytest.mark.slow
@pytest.mark.parametrize("precision", ["float32", "mixed_bfloat16", "mixed_float16"])
@pytest.mark.parametrize("model", OF_ONE_NETWORK)
def test_no_operation_of_training_any_model_lacks_a_kernel(model: str, precision: str) -> None:
    assert without_gpu(training_step(model, precision)) == set()


def test_translation_needs_the_host_for_text_alone() -> None:
    translator = tiny_translator()
    lacking = without_gpu(translator.translate_and_align_graph.get_concrete_function())
    allowed = set().union(*ON_THE_HOST.values())
    assert lacking <= allowed, sorted(lacking - allowed)


@pytest.mark.parametrize("reason", ON_THE_HOST)
def test_the_list_of_operations_on_the_host_names_such_alone(reason: str) -> None:
    assert not [operation for operation in ON_THE_HOST[reason] if "GPU" in devices(operation)]
