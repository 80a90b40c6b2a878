"""The equations of Gehring et al. (2016) in NumPy, and the way from the layers' weights to the letters of the paper.

As in `tests/twins.py`: one sentence at a time, one step at a time, float64, no batches, no masks, and nothing shared
with the code under test. Convolutions are written as sums over the words they see.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from tests.luong_twins import lstm
from tests.twins import END, START, Letters, Read, read_value, softmax

Drop = Callable[[np.ndarray], np.ndarray]
"""What dropout does to a vector."""


class Encoded(NamedTuple):
    scored: np.ndarray  # z, [source, n]
    values: np.ndarray  # [source, annotation]


class Step(NamedTuple):
    """What the decoder knows when it predicts one word."""

    features: np.ndarray
    weights: np.ndarray


def keep(x: np.ndarray) -> np.ndarray:
    return x


# --- the layers -------------------------------------------------------------------------------------------------------


def convolution(kernel: np.ndarray, bias: np.ndarray, x: np.ndarray) -> np.ndarray:
    """`kernel [k, d, d']` over `x [words, d]`; nothing beyond the ends."""
    half = len(kernel) // 2
    sums = []
    for j in range(len(x)):
        seen = [(t, j + t - half) for t in range(len(kernel)) if 0 <= j + t - half < len(x)]
        sums.append(bias + sum(x[place] @ kernel[t] for t, place in seen))
    return np.array(sums)


def convolutions(p: Letters, x: np.ndarray) -> np.ndarray:
    """The last one adds nothing."""
    for layer, (kernel, bias) in enumerate(zip(p["K"], p["b"], strict=True), start=1):
        sums = convolution(kernel, bias, x)
        x = np.tanh(sums + x if layer < len(p["K"]) else sums)
    return x


def mean_of_neighbours(x: np.ndarray, k: int) -> np.ndarray:
    half = k // 2
    return np.array([sum(x[max(j - half, 0) : j + half + 1]) / k for j in range(len(x))])


# --- the network ------------------------------------------------------------------------------------------------------


def vectors(p: Letters, words: Sequence[int]) -> np.ndarray:
    last = len(p["l"]) - 1
    return np.array([p["E"][word] + p["l"][min(j, last)] for j, word in enumerate(words)])


def encode(p: Letters, source: Sequence[int], drop: Drop = keep) -> Encoded:
    e = drop(vectors(p, [*source, END]))
    if "CNN-a" not in p:
        return Encoded(mean_of_neighbours(e, p["k"]), e)
    inner = e @ p["inner"][0] + p["inner"][1]
    return Encoded(convolutions(p["CNN-a"], inner) @ p["outer"][0] + p["outer"][1], convolutions(p["CNN-c"], e))


def decode(p: Letters, encoded: Encoded, target: Sequence[int], drop: Drop = keep) -> list[Step]:
    """One step more than there are words: the last one predicts the end."""
    n = len(p["W_d"][0])
    states = [(np.zeros(n), np.zeros(n)) for _ in p["W"]]
    steps = []
    for word in [START, *target]:
        g = drop(p["E"][word])
        d = p["W_d"] @ states[0][0] + p["b_d"] + g
        a = softmax(encoded.scored @ d)
        x = np.concatenate([g, a @ encoded.values])
        for layer, W in enumerate(p["W"]):
            states[layer] = lstm(W, x, *states[layer])
            x = states[layer][0]
        steps.append(Step(p["W_t"] @ drop(x) + p["b_t"], a))
    return steps


def translate_by_force(p: Letters, source: Sequence[int], target: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """`log p(. | y_<i, x)` `[target + 1, vocabulary]` and the weights `[target + 1, source + 1]` of one pair."""
    steps = decode(p["decoder"], encode(p["encoder"], source), target)
    rows = np.array([np.log(softmax(p["W_o"] @ step.features + p["b_o"])) for step in steps])
    return rows, np.array([step.weights for step in steps])


# --- from weights to letters ------------------------------------------------------------------------------------------


def letters_of_stack(stack: Any, read: Read = read_value) -> Letters:
    return {"K": [read(kernel) for kernel in stack.kernels], "b": [read(bias) for bias in stack.biases]}


def letters_of_encoder(encoder: Any, read: Read = read_value) -> Letters:
    letters = {"E": read(encoder.embedding.table), "l": read(encoder.positions.table)}
    if not hasattr(encoder, "score_stack"):
        return {**letters, "k": encoder.width}
    return {
        **letters,
        "inner": [read(encoder.inner_kernel), read(encoder.inner_bias)],
        "outer": [read(encoder.outer_kernel), read(encoder.outer_bias)],
        "CNN-a": letters_of_stack(encoder.score_stack, read),
        "CNN-c": letters_of_stack(encoder.value_stack, read),
    }


def letters_of_decoder(decoder: Any, read: Read = read_value) -> Letters:
    first, *upper = decoder.units_by_layer
    blocks = [read(first.kernel), read(decoder.context_kernel), read(first.recurrent_kernel)]
    return {
        "E": read(decoder.embedding.table),
        "W": [np.vstack(blocks).T, *(np.vstack([read(u.kernel), read(u.recurrent_kernel)]).T for u in upper)],
        "W_d": read(decoder.query_kernel).T,
        "b_d": read(decoder.query_bias),
        "W_t": read(decoder.features_kernel).T,
        "b_t": read(decoder.features_bias),
    }


def letters_of_network(network: Any, read: Read = read_value) -> Letters:
    return {
        "encoder": letters_of_encoder(network.encoder, read),
        "decoder": letters_of_decoder(network.decoder, read),
        "W_o": read(network.output_layer.rows),
        "b_o": read(network.output_layer.bias),
    }
