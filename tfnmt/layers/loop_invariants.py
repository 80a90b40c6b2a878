"""What a loop asks for at each step and what is the same at each: made once, before the loop."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import keras
import tensorflow as tf

from tfnmt.layers.products import Product, Products


class _Made(threading.local):
    """Of each thread: the graph around the open loop, None when run eagerly, and what was made in it."""

    graph: tf.Graph | None = None
    tensors: dict[Any, tf.Tensor] | None = None


_made = _Made()


@contextmanager
def loop_invariants() -> Iterator[None]:
    """Put around a loop: while its body is traced (or run), `loop_invariant` makes its tensors out here, each once."""
    before = _made.graph, _made.tensors
    _made.graph = None if tf.executing_eagerly() else tf.constant(0).graph
    _made.tensors = {}
    try:
        yield
    finally:
        _made.graph, _made.tensors = before


def loop_invariant(key: tuple[Any, ...], make: Callable[[], tf.Tensor]) -> tf.Tensor:
    """What `make` gives, made before the loop that is open; made here and now where none is.

    Args:
        key: hashable, tells one invariant of a loop from another.
        make: must not depend on anything that the loop changes.
    """
    if _made.tensors is None:
        return make()
    if key not in _made.tensors:
        if _made.graph is None:
            _made.tensors[key] = make()
        else:
            with _made.graph.as_default():
                _made.tensors[key] = make()
    return _made.tensors[key]


def cast_once(weight: keras.Variable, dtype: str) -> tf.Tensor:
    """A weight in `dtype`, cast before the loop: at each of its steps that would cost as much as many products."""
    return loop_invariant((id(weight), dtype), lambda: tf.cast(tf.convert_to_tensor(weight), dtype))


class StepProducts(Products):
    """Those of one step of a search: their matrices are cast before its loop."""

    def by(self, kernel: keras.Variable, dtype: str) -> Product:
        return super().by(cast_once(kernel, dtype), dtype)
