"""The equations of Bahdanau et al. (2015) in NumPy, and the way from the layers' weights to the letters of the paper.

One sentence at a time, one step at a time, float64, column vectors, no batches, no masks: nothing here is shared with
the code under test. Weights are dictionaries whose keys are the letters of the equations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import keras
import numpy as np

START, END = 1, 2

Letters = dict[str, Any]
Attend = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""From a state to the context vector and the weights."""


class Encoded(NamedTuple):
    annotations: list[np.ndarray]
    summary: np.ndarray  # what s_0 is made of


class Step(NamedTuple):
    """What the decoder knows when it predicts one word."""

    state: np.ndarray
    features: np.ndarray
    weights: np.ndarray


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def softmax(x: np.ndarray) -> np.ndarray:
    exponentials = np.exp(x - np.max(x))
    return exponentials / np.sum(exponentials)


# --- the layers -------------------------------------------------------------------------------------------------------


def gated_unit(p: Letters, x: np.ndarray, h: np.ndarray) -> np.ndarray:
    z = sigmoid(p["W_z"] @ x + p["U_z"] @ h)
    r = sigmoid(p["W_r"] @ x + p["U_r"] @ h)
    candidate = np.tanh(p["W"] @ x + p["U"] @ (r * h) + p["b"])
    return (1 - z) * h + z * candidate


def gated_unit_with_context(p: Letters, y: np.ndarray, s: np.ndarray, c: np.ndarray) -> np.ndarray:
    z = sigmoid(p["W_z"] @ y + p["U_z"] @ s + p["C_z"] @ c)
    r = sigmoid(p["W_r"] @ y + p["U_r"] @ s + p["C_r"] @ c)
    candidate = np.tanh(p["W"] @ y + p["U"] @ (r * s) + p["C"] @ c + p["b"])
    return (1 - z) * s + z * candidate


def additive_score(p: Letters, s: np.ndarray, h: np.ndarray) -> float:
    return p["v_a"] @ np.tanh(p["W_a"] @ s + p["U_a"] @ h)


def attention(p: Letters, s: np.ndarray, annotations: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    weights = softmax(np.array([additive_score(p, s, h) for h in annotations]))
    return sum(weight * h for weight, h in zip(weights, annotations, strict=True)), weights


def fixed_context(s: np.ndarray, annotations: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    return annotations[-1], np.eye(len(annotations))[-1]


def maxout_readout(p: Letters, s: np.ndarray, y: np.ndarray, c: np.ndarray) -> np.ndarray:
    pre = p["U_o"] @ s + p["V_o"] @ y + p["C_o"] @ c + p["b_o"]
    t = np.array([max(pre[2 * k], pre[2 * k + 1]) for k in range(len(pre) // 2)])
    return p["W_1"] @ t if "W_1" in p else t


# --- the network ------------------------------------------------------------------------------------------------------


def word_vector(p: Letters, word: int) -> np.ndarray:
    return p["E"][word] + p["b"]


def run(p: Letters, vectors: Sequence[np.ndarray]) -> list[np.ndarray]:
    h, states = np.zeros(len(p["b"])), []
    for x in vectors:
        h = gated_unit(p, x, h)
        states.append(h)
    return states


def encode(p: Letters, words: Sequence[int]) -> Encoded:
    """Both encoders; words as they are read, the end symbol included."""
    vectors = [word_vector(p["embedding"], word) for word in words]
    forward = run(p["forward"], vectors)
    if "backward" not in p:
        return Encoded(forward, forward[-1])
    backward = run(p["backward"], vectors[::-1])[::-1]
    return Encoded([np.concatenate(pair) for pair in zip(forward, backward, strict=True)], backward[0])


def initial_state(p: Letters, summary: np.ndarray) -> np.ndarray:
    return np.tanh(p["W_s"] @ summary + p["b_s"])


def decode_groundhog(p: Letters, attend: Attend, s: np.ndarray, words: Sequence[int]) -> list[Step]:
    """`c_i` and the read-out from a state that has read `y_1 .. y_{i-1}`; nothing is read before the first word."""
    steps, y = [], np.zeros_like(p["embedding"]["b"])
    for word in [*words, None]:
        c, weights = attend(s)
        steps.append(Step(s, maxout_readout(p["readout"], s, y, c), weights))
        if word is not None:
            y = word_vector(p["embedding"], word)
            s = gated_unit_with_context(p["unit"], y, s, c)
    return steps


def decode_main_text(p: Letters, attend: Attend, s: np.ndarray, words: Sequence[int]) -> list[Step]:
    """`c_i` from `s_{i-1}`, then `s_i = f(s_{i-1}, y_{i-1}, c_i)`, then the read-out from `s_i`; `E y_0 = 0`."""
    steps, y = [], np.zeros_like(p["embedding"]["b"])
    for word in [*words, None]:
        c, weights = attend(s)
        s = gated_unit_with_context(p["unit"], y, s, c)
        steps.append(Step(s, maxout_readout(p["readout"], s, y, c), weights))
        if word is not None:
            y = word_vector(p["embedding"], word)
    return steps


DECODE = {"groundhog": decode_groundhog, "main-text": decode_main_text}


def decode(p: Letters, step_order: str, encoded: Encoded, words: Sequence[int]) -> list[Step]:
    """One step more than there are words: the last one predicts the end."""

    def attend(s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if "attention" not in p:
            return fixed_context(s, encoded.annotations)
        return attention(p["attention"], s, encoded.annotations)

    return DECODE[step_order](p, attend, initial_state(p, encoded.summary), words)


def log_probabilities(p: Letters, features: np.ndarray) -> np.ndarray:
    return np.log(softmax(p["W_o"] @ features + p["b_y"]))


def translate_by_force(
    p: Letters, step_order: str, source: Sequence[int], target: Sequence[int]
) -> tuple[np.ndarray, np.ndarray]:
    """`log p(. | y_<i, x)` `[target + 1, vocabulary]` and the weights `[target + 1, source + 1]` of one pair."""
    steps = decode(p["decoder"], step_order, encode(p["encoder"], [*source, END]), target)
    rows = np.array([log_probabilities(p["output"], step.features) for step in steps])
    return rows, np.array([step.weights for step in steps])


# --- from weights to letters ------------------------------------------------------------------------------------------

Read = Callable[[keras.Variable], np.ndarray]


def read_value(variable: keras.Variable) -> np.ndarray:
    return variable.numpy().astype(np.float64)


def letters_of_unit(unit: Any, read: Read = read_value) -> Letters:
    W_z, W_r, W = np.split(read(unit.kernel).T, 3)
    U_z, U_r = np.split(read(unit.gate_kernel).T, 2)
    U = read(unit.candidate_kernel).T
    return {"W_z": W_z, "W_r": W_r, "W": W, "U_z": U_z, "U_r": U_r, "U": U, "b": read(unit.bias)}


def letters_of_score(score: Any, read: Read = read_value) -> Letters:
    return {
        "W_a": read(score.query_kernel).T,
        "U_a": read(score.annotation_kernel).T,
        "v_a": read(score.vector)[:, 0],
    }


def letters_of_readout(readout: Any, read: Read = read_value) -> Letters:
    letters = {
        "U_o": read(readout.state_kernel).T,
        "V_o": read(readout.embedding_kernel).T,
        "C_o": read(readout.context_kernel).T,
        "b_o": read(readout.bias),
    }
    return {**letters, "W_1": read(readout.projection_kernel).T} if readout.projection else letters


def letters_of_embedding(embedding: Any, read: Read = read_value) -> Letters:
    return {"E": read(embedding.table), "b": read(embedding.bias)}


def letters_of_output(output: Any, read: Read = read_value) -> Letters:
    return {"W_o": read(output.rows), "b_y": read(output.bias)}


def letters_of_encoder(encoder: Any, read: Read = read_value) -> Letters:
    letters = {
        "embedding": letters_of_embedding(encoder.embedding, read),
        "forward": letters_of_unit(encoder.forward_unit, read),
    }
    if hasattr(encoder, "backward_unit"):
        letters["backward"] = letters_of_unit(encoder.backward_unit, read)
    return letters


def letters_of_decoder(decoder: Any, read: Read = read_value) -> Letters:
    C_z, C_r, C = np.split(read(decoder.context_kernel).T, 3)
    letters = {
        "embedding": letters_of_embedding(decoder.embedding, read),
        "unit": {**letters_of_unit(decoder.unit, read), "C_z": C_z, "C_r": C_r, "C": C},
        "W_s": read(decoder.initial_kernel).T,
        "b_s": read(decoder.initial_bias),
        "readout": letters_of_readout(decoder.readout, read),
    }
    if hasattr(decoder.attention, "score"):
        letters["attention"] = letters_of_score(decoder.attention.score, read)
    return letters


def letters_of_network(network: Any, read: Read = read_value) -> Letters:
    return {
        "encoder": letters_of_encoder(network.encoder, read),
        "decoder": letters_of_decoder(network.decoder, read),
        "output": letters_of_output(network.output_layer, read),
    }


def randomize(layer: keras.layers.Layer, seed: int = 0, scale: float = 0.5) -> None:
    """Draws every weight anew, far from zero: no term of an equation may vanish by its initial value."""
    random = np.random.default_rng(seed)
    for variable in layer.trainable_variables:
        variable.assign(random.normal(scale=scale, size=variable.shape))
