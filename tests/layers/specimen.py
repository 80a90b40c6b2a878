"""What a specimen of a layer is, and how one is used in a Keras model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import keras
import numpy as np

from tests.models.networks import SOURCE_IDS, TARGET_IDS
from tfnmt.layers.softmax_output import SoftmaxOutput
from tfnmt.models.encoder_decoder import EncoderDecoder

Inputs = Any
"""What the model is called with: arrays by name, or a pair of them."""


class Specimen(NamedTuple):
    layer: Callable[..., keras.layers.Layer]
    """Makes the layer, every argument away from its default; passes Keras's own arguments on."""
    model: Callable[[keras.layers.Layer, Inputs], keras.Model]
    """A model that uses the layer."""
    inputs: Inputs
    weights: Mapping[str, tuple[int, ...]]


def functional(layer: keras.layers.Layer, inputs: Inputs) -> keras.Model:
    """The layer alone in a functional model, called with all inputs by name."""
    symbols = {name: keras.Input(array.shape[1:], dtype=array.dtype, name=name) for name, array in inputs.items()}
    return keras.Model(symbols, layer(**symbols))


def recurrent(layer: keras.layers.Layer, inputs: Inputs) -> keras.Model:
    """A cell, inside Keras's own recurrent layer."""
    return functional(keras.layers.RNN(layer, return_sequences=True), inputs)


def encoding(layer: keras.layers.Layer, inputs: Inputs) -> keras.Model:
    """An encoder; what a decoder would read of it are the outputs."""
    ids = keras.Input([None], dtype="int32", name="source_ids")
    memory = layer(ids)
    return keras.Model({"source_ids": ids}, [memory.annotations, *keras.tree.flatten((memory.summary, memory.scored))])


def decoding(encoder: Callable[[], keras.layers.Layer]) -> Callable[[keras.layers.Layer, Inputs], keras.Model]:
    """A decoder, in a network with a fitting encoder."""
    return lambda layer, inputs: itself(EncoderDecoder(encoder(), layer, SoftmaxOutput(11)), inputs)


def itself(network: EncoderDecoder, inputs: Inputs) -> keras.Model:
    network.build()
    return network


def random(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype("float32")


def normal() -> keras.initializers.Initializer:
    return keras.initializers.RandomNormal(stddev=0.5)


QUERIES, ANNOTATIONS = random(2, 3, 4), random(2, 5, 4, seed=1)
MASK = np.array([[True] * 5, [True, True, False, False, False]])
COMPARED = {"queries": QUERIES, "annotations": ANNOTATIONS}
ATTENDED = {**COMPARED, "annotations_mask": MASK, "numbers": np.array([[0, 1, 2], [2, 1, 0]], "int32")}
SEQUENCES = {"sequences": random(2, 5, 4)}
SOURCES = {"source_ids": SOURCE_IDS}
PAIR = (SOURCE_IDS, TARGET_IDS)


def within(name: str, weights: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
    return {f"{name}/{path}": shape for path, shape in weights.items()}
