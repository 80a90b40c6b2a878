"""The equations of Luong et al. (2015) in NumPy, and the way from the layers' weights to the letters of the paper.

As in `tests/twins.py`: one sentence at a time, one step at a time, float64, column vectors, no batches, no masks, and
nothing shared with the code under test. Source positions and target words are numbered from 1, as in the paper.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from tests.twins import END, START, Letters, Read, read_value, sigmoid, softmax
from tfnmt.layers.concat_score import ConcatScore
from tfnmt.layers.dot_score import DotScore
from tfnmt.layers.general_score import GeneralScore
from tfnmt.layers.location_score import LocationScore
from tfnmt.layers.scaled_dot_score import ScaledDotScore
from tfnmt.layers.window import MonotonicWindow, PredictiveWindow

Drop = Callable[[np.ndarray], np.ndarray]
"""What dropout does to an input of a layer."""


class Looking(NamedTuple):
    """Which of the attentions: a score, and the rule of the window's middle; without one it is global."""

    score: Callable[[Letters, np.ndarray, np.ndarray, int], float]
    middle: Callable[[Letters, np.ndarray, int, int], float] | None = None
    half_width: int = 0


class Form(NamedTuple):
    """Which of the networks."""

    looking: Looking | None
    input_feeding: bool
    reverse_source: bool
    append_end: bool


class Encoded(NamedTuple):
    annotations: list[np.ndarray]  # of the words 1 .. S
    summary: list[tuple[np.ndarray, np.ndarray]]  # the last h and c of each layer


class Step(NamedTuple):
    """What the decoder knows when it predicts one word."""

    features: np.ndarray
    weights: np.ndarray


def keep(x: np.ndarray) -> np.ndarray:
    return x


# --- the layers -------------------------------------------------------------------------------------------------------


def lstm(W: np.ndarray, x: np.ndarray, h: np.ndarray, c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    i, f, o, g = np.split(W @ np.concatenate([x, h]), 4)
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(c), c


def dot(p: Letters, h: np.ndarray, annotation: np.ndarray, s: int) -> float:
    return h @ annotation


def scaled_dot(p: Letters, h: np.ndarray, annotation: np.ndarray, s: int) -> float:
    """Vaswani et al. (2017), equation 1."""
    return h @ annotation / math.sqrt(len(h))


def general(p: Letters, h: np.ndarray, annotation: np.ndarray, s: int) -> float:
    return h @ p["W_a"] @ annotation


def concat(p: Letters, h: np.ndarray, annotation: np.ndarray, s: int) -> float:
    W_a = np.hstack([p["W_h"], p.get("W_s", np.eye(len(annotation)))])
    return p["v_a"] @ np.tanh(W_a @ np.concatenate([h, annotation]))


def location(p: Letters, h: np.ndarray, annotation: np.ndarray, s: int) -> float:
    everywhere = p["W_a"] @ h
    return everywhere[s - 1] if s <= len(everywhere) else -math.inf


def in_step(p: Letters, h: np.ndarray, t: int, length: int) -> float:
    """local-m."""
    return min(t, length)


def predicted(p: Letters, h: np.ndarray, t: int, length: int) -> float:
    """local-p."""
    return 1 + length * sigmoid(p["v_p"] @ np.tanh(p["W_p"] @ h))


def gaussian(s: int, p_t: float, half_width: int) -> float:
    return math.exp(-((s - p_t) ** 2) / (2 * (half_width / 2) ** 2))


def attention(
    p: Letters, looking: Looking, h: np.ndarray, annotations: Sequence[np.ndarray], t: int
) -> tuple[np.ndarray, np.ndarray]:
    """`c_t` and `a_t`, both zero where nothing can be seen."""
    length, size = len(annotations), len(h)
    weights = np.zeros(length)
    seen, p_t = range(1, length + 1), 0.0
    if looking.middle is not None:
        p_t = looking.middle(p["window"], h, t, length)
        seen = range(math.floor(p_t) - looking.half_width, math.floor(p_t) + looking.half_width + 1)
    scores = {s: looking.score(p["score"], h, annotations[s - 1], s) for s in seen if 1 <= s <= length}
    scores = {s: score for s, score in scores.items() if score > -math.inf}
    if not scores:
        return np.zeros(size if not length else len(annotations[0])), weights
    for s, share in zip(scores, softmax(np.array(list(scores.values()))), strict=True):
        weights[s - 1] = share * (gaussian(s, p_t, looking.half_width) if looking.middle is predicted else 1)
    return sum(weight * annotation for weight, annotation in zip(weights, annotations, strict=True)), weights


# --- the network ------------------------------------------------------------------------------------------------------


def encode(p: Letters, form: Form, words: Sequence[int], drop: Drop = keep) -> Encoded:
    words = [*words, END] if form.append_end else list(words)
    states, summary = [p["E"][word] for word in words], []
    if form.reverse_source:
        states = states[::-1]
    for W in p["W"]:
        h = c = np.zeros(len(W) // 4)
        inputs, states = states, []
        for x in inputs:
            h, c = lstm(W, drop(x), h, c)
            states.append(h)
        summary.append((h, c))
    return Encoded(states[::-1] if form.reverse_source else states, summary)


def decode(p: Letters, form: Form, encoded: Encoded, words: Sequence[int], drop: Drop = keep) -> list[Step]:
    """One step more than there are words: the last one predicts the end."""
    state, steps = list(encoded.summary), []
    attentional = np.zeros_like(state[-1][0])
    for t, word in enumerate([START, *words], start=1):
        x = drop(p["E"][word])
        if form.input_feeding:
            x = np.concatenate([x, drop(attentional)])
        for layer, W in enumerate(p["W"]):
            state[layer] = lstm(W, drop(state[layer - 1][0]) if layer else x, *state[layer])
        h = state[-1][0]
        if form.looking is None:
            attentional, weights = h, np.zeros(len(encoded.annotations))
        else:
            c_t, weights = attention(p["attention"], form.looking, h, encoded.annotations, t)
            attentional = np.tanh(p["W_c"] @ np.concatenate([c_t, h]))
        steps.append(Step(attentional, weights))
    return steps


def translate_by_force(
    p: Letters, form: Form, source: Sequence[int], target: Sequence[int]
) -> tuple[np.ndarray, np.ndarray]:
    """`log p(. | y_<t, x)` `[target + 1, vocabulary]` and the weights `[target + 1, source]` of one pair."""
    steps = decode(p["decoder"], form, encode(p["encoder"], form, source), target)
    rows = [np.log(softmax(p["W_s"] @ step.features)) for step in steps]
    return np.array(rows), np.array([step.weights for step in steps])


# --- from layers to letters -------------------------------------------------------------------------------------------

SCORES = {
    DotScore: dot,
    ScaledDotScore: scaled_dot,
    GeneralScore: general,
    ConcatScore: concat,
    LocationScore: location,
}
MIDDLES = {MonotonicWindow: in_step, PredictiveWindow: predicted}


def looking_of(layer: Any) -> Looking:
    score = SCORES[type(layer.score)]
    return Looking(score, MIDDLES[type(layer.window)], layer.half_width) if hasattr(layer, "window") else Looking(score)


def form_of(network: Any) -> Form:
    encoder, decoder = network.encoder, network.decoder
    looking = None if decoder.attention is None else looking_of(decoder.attention)
    return Form(looking, decoder.input_feeding, encoder.reverse_source, encoder.append_end)


def letters_of_unit(unit: Any, read: Read = read_value, fed: Sequence[Any] = ()) -> np.ndarray:
    """`W`, whose columns meet the input, the fed attentional state if there is one, and the unit's own output."""
    return np.hstack([read(kernel).T for kernel in (unit.kernel, *fed, unit.recurrent_kernel)])


def letters_of_score(score: Any, read: Read = read_value) -> Letters:
    if isinstance(score, ConcatScore):
        letters = {"W_h": read(score.query_kernel).T, "v_a": read(score.vector)[:, 0]}
        return letters if score.identity else {**letters, "W_s": read(score.annotation_kernel).T}
    return {} if isinstance(score, DotScore) else {"W_a": read(score.kernel).T}


def letters_of_window(window: Any, read: Read = read_value) -> Letters:
    predicts = isinstance(window, PredictiveWindow)
    return {"W_p": read(window.kernel).T, "v_p": read(window.vector)[:, 0]} if predicts else {}


def letters_of_attention(layer: Any, read: Read = read_value) -> Letters:
    letters = {"score": letters_of_score(layer.score, read)}
    return {**letters, "window": letters_of_window(layer.window, read)} if hasattr(layer, "window") else letters


def letters_of_encoder(encoder: Any, read: Read = read_value) -> Letters:
    return {
        "E": read(encoder.embedding.table),
        "W": [letters_of_unit(unit, read) for unit in encoder.units_by_layer],
    }


def letters_of_decoder(decoder: Any, read: Read = read_value) -> Letters:
    fed = [decoder.feeding_kernel] if decoder.input_feeding else []
    first, *upper = decoder.units_by_layer
    letters = {
        "E": read(decoder.embedding.table),
        "W": [letters_of_unit(first, read, fed), *(letters_of_unit(unit, read) for unit in upper)],
    }
    if decoder.attention is None:
        return letters
    W_c = np.hstack([read(decoder.context_kernel).T, read(decoder.state_kernel).T])
    return {**letters, "W_c": W_c, "attention": letters_of_attention(decoder.attention, read)}


def letters_of_network(network: Any, read: Read = read_value) -> Letters:
    return {
        "encoder": letters_of_encoder(network.encoder, read),
        "decoder": letters_of_decoder(network.decoder, read),
        "W_s": read(network.output_layer.rows),
    }
