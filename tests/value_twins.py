"""The equations of He et al. (2017) in NumPy, one prefix at a time, beside those of `tests.twins`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests import twins
from tests.twins import END, Letters, read_value


def module(p: Letters, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.tanh(p["W_a"] @ a + p["W_b"] @ b + p["b"])


def value(p: Letters, states: Sequence[np.ndarray], contexts: Sequence[np.ndarray], annotations: Any) -> float:
    r, c, h = (np.mean(np.array(vectors), axis=0) for vectors in (states, contexts, annotations))
    modules = np.concatenate([module(p["SM"], r, c), module(p["CC"], c, h)])
    return float(twins.sigmoid(p["w"] @ modules + p["b_v"]))


def value_of_prefix(p: Letters, source: Sequence[int], prefix: Sequence[int]) -> float:
    """`v(x, y)` over an RNNsearch in the authors' step order: state and context after each word of the prefix."""
    encoded = twins.encode(p["policy"]["encoder"], [*source, END])
    decoder = p["policy"]["decoder"]

    def attend(s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return twins.attention(decoder["attention"], s, encoded.annotations)

    s, states, contexts = twins.initial_state(decoder, encoded.summary), [], []
    c, _ = attend(s)
    for word in prefix:
        s = twins.gated_unit_with_context(decoder["unit"], twins.word_vector(decoder["embedding"], word), s, c)
        c, _ = attend(s)
        states.append(s)
        contexts.append(c)
    return value(p, states, contexts, encoded.annotations)


def letters_of_module(layer: Any) -> Letters:
    first, second = (read_value(kernel).T for kernel in layer.kernels)
    return {"W_a": first, "W_b": second, "b": read_value(layer.bias)}


def letters_of_value_network(network: Any) -> Letters:
    return {
        "policy": twins.letters_of_network(network.policy),
        "SM": letters_of_module(network.semantic_matching),
        "CC": letters_of_module(network.context_coverage),
        "w": read_value(network.value_layer.kernel)[:, 0],
        "b_v": read_value(network.value_layer.bias)[0],
    }
