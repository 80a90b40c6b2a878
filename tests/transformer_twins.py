"""The equations of Vaswani et al. (2017) in NumPy, and the way from the layers' weights to the letters of the paper.

As in `tests/twins.py`: one sentence at a time, float64, no batches, no padding, no caches, and nothing shared with the
code under test. Row vectors here, as in the paper: a sentence is a matrix `[words, d]`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from tests.twins import END, START, Letters, Read, read_value, softmax

Drop = Callable[[np.ndarray], np.ndarray]
"""What dropout does."""


class Decoded(NamedTuple):
    features: np.ndarray  # [target, d]
    weights: np.ndarray  # [layers, heads, target, source]


def keep(x: np.ndarray) -> np.ndarray:
    return x


# --- the layers -------------------------------------------------------------------------------------------------------


def position(pos: int, d: int) -> np.ndarray:
    code = np.zeros(d)
    for component in range(d):
        i = component // 2
        wave = math.sin if component % 2 == 0 else math.cos
        code[component] = wave(pos / 10000 ** (2 * i / d))
    return code


def attention(p: Letters, Q: np.ndarray, K: np.ndarray, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """MultiHead(Q, K, K) and each head's weights `[heads, queries, positions]`; `allowed [queries, positions]`."""
    heads, weights = [], []
    for W_Q, W_K, W_V in zip(p["W_Q"], p["W_K"], p["W_V"], strict=True):
        scores = (Q @ W_Q) @ (K @ W_K).T / math.sqrt(W_K.shape[1])
        scores[~allowed] = -np.inf
        weights.append(np.array([softmax(row) for row in scores]))
        heads.append(weights[-1] @ (K @ W_V))
    return np.concatenate(heads, axis=1) @ p["W_O"], np.array(weights)


def feed_forward(p: Letters, x: np.ndarray) -> np.ndarray:
    return np.maximum(0, x @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]


def normalize(p: Letters, x: np.ndarray) -> np.ndarray:
    mean, variance = np.mean(x, axis=-1, keepdims=True), np.var(x, axis=-1, keepdims=True)
    return p["gain"] * (x - mean) / np.sqrt(variance + 1e-6) + p["bias"]


def encoder_layer(p: Letters, x: np.ndarray, drop: Drop = keep) -> np.ndarray:
    looked, _ = attention(p["attention"], x, x, np.ones([len(x), len(x)], bool))
    x = normalize(p["norms"][0], x + drop(looked))
    return normalize(p["norms"][1], x + drop(feed_forward(p["feed_forward"], x)))


def decoder_layer(
    p: Letters, x: np.ndarray, annotations: np.ndarray, drop: Drop = keep
) -> tuple[np.ndarray, np.ndarray]:
    looked, _ = attention(p["self_attention"], x, x, np.tril(np.ones([len(x), len(x)], bool)))
    x = normalize(p["norms"][0], x + drop(looked))
    looked, weights = attention(p["source_attention"], x, annotations, np.ones([len(x), len(annotations)], bool))
    x = normalize(p["norms"][1], x + drop(looked))
    return normalize(p["norms"][2], x + drop(feed_forward(p["feed_forward"], x))), weights


# --- the network ------------------------------------------------------------------------------------------------------


def positioned(E: np.ndarray, words: Sequence[int]) -> np.ndarray:
    """Scaled word vectors and positions; the vector of the start symbol is zero."""
    d = E.shape[1]
    rows = [(0 if word == START else 1) * math.sqrt(d) * E[word] + position(i, d) for i, word in enumerate(words)]
    return np.array(rows)


def encode(p: Letters, source: Sequence[int], drop: Drop = keep) -> np.ndarray:
    x = drop(positioned(p["E"], [*source, END]))
    for layer in p["layers"]:
        x = encoder_layer(layer, x, drop)
    return x


def decode(p: Letters, annotations: np.ndarray, target: Sequence[int], drop: Drop = keep) -> Decoded:
    """One row more than there are words: the last one predicts the end."""
    x = drop(positioned(p["E"], [START, *target]))
    looked = []
    for layer in p["layers"]:
        x, weights = decoder_layer(layer, x, annotations, drop)
        looked.append(weights)
    return Decoded(x, np.array(looked))


def log_probabilities(p: Letters, source: Sequence[int], target: Sequence[int]) -> np.ndarray:
    """`log p(. | y_<i, x)` `[target + 1, vocabulary]` of one pair."""
    features = decode(p["decoder"], encode(p["encoder"], source), target).features
    return np.log([softmax(row) for row in features @ p["W_o"].T])


# --- from weights to letters ------------------------------------------------------------------------------------------


def letters_of_attention(layer: Any, read: Read = read_value) -> Letters:
    split = {name: np.split(read(getattr(layer, f"{name}_kernel")), layer.heads, axis=1) for name in PROJECTED}
    return {**{PROJECTED[name]: blocks for name, blocks in split.items()}, "W_O": read(layer.output_kernel)}


PROJECTED = {"query": "W_Q", "key": "W_K", "value": "W_V"}


def letters_of_feed_forward(layer: Any, read: Read = read_value) -> Letters:
    return {
        "W_1": read(layer.inner_kernel),
        "b_1": read(layer.inner_bias),
        "W_2": read(layer.outer_kernel),
        "b_2": read(layer.outer_bias),
    }


def letters_of_norm(layer: Any, read: Read = read_value) -> Letters:
    return {"gain": read(layer.normalization.gamma), "bias": read(layer.normalization.beta)}


def letters_of_encoder_layer(layer: Any, read: Read = read_value) -> Letters:
    return {
        "attention": letters_of_attention(layer.attention, read),
        "feed_forward": letters_of_feed_forward(layer.feed_forward, read),
        "norms": [letters_of_norm(norm, read) for norm in (layer.after_attention, layer.after_feed_forward)],
    }


def letters_of_decoder_layer(layer: Any, read: Read = read_value) -> Letters:
    norms = (layer.after_self_attention, layer.after_source_attention, layer.after_feed_forward)
    return {
        "self_attention": letters_of_attention(layer.self_attention, read),
        "source_attention": letters_of_attention(layer.source_attention, read),
        "feed_forward": letters_of_feed_forward(layer.feed_forward, read),
        "norms": [letters_of_norm(norm, read) for norm in norms],
    }


def letters_of_encoder(encoder: Any, read: Read = read_value) -> Letters:
    return {
        "E": read(encoder.embedding.table),
        "layers": [letters_of_encoder_layer(layer, read) for layer in encoder.stack],
    }


def letters_of_decoder(decoder: Any, read: Read = read_value) -> Letters:
    return {
        "E": read(decoder.embedding.table),
        "layers": [letters_of_decoder_layer(layer, read) for layer in decoder.stack],
    }


def letters_of_network(network: Any, read: Read = read_value) -> Letters:
    return {
        "encoder": letters_of_encoder(network.encoder, read),
        "decoder": letters_of_decoder(network.decoder, read),
        "W_o": read(network.output_layer.rows),
    }
