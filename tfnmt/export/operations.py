"""The operations of an exported graph: which of them a runtime must be built with."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import tensorflow as tf
from tensorflow.core.protobuf.saved_model_pb2 import SavedModel


def operations(directory: Path) -> set[str]:
    """Names of all operations in a SavedModel, those inside functions included."""
    saved = SavedModel.FromString((directory / "saved_model.pb").read_bytes())
    names: set[str] = set()
    for meta_graph in saved.meta_graphs:
        library = meta_graph.graph_def.library.function
        functions = {function.signature.name for function in library}
        nodes = [*meta_graph.graph_def.node, *(node for function in library for node in function.node_def)]
        names.update(node.op for node in nodes if node.op not in functions)
    return names


def beyond_core(names: Iterable[str]) -> list[str]:
    """Those that are not part of TensorFlow itself, ordered by name."""
    return sorted(name for name in names if not hasattr(tf.raw_ops, name))
