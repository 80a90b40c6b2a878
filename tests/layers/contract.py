"""What every public layer promises to a person who puts it into a Keras model of their own."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from types import ModuleType
from typing import Any

import keras
import numpy as np

import tfnmt.layers
import tfnmt.models
from tests.layers.specimen import Specimen
from tests.layers.specimens import SPECIMENS

ROOMS = (tfnmt.layers, tfnmt.models)


def public_layers() -> set[type]:
    """Every layer class of the rooms that no other one there derives from."""
    classes = {
        member
        for room in ROOMS
        for module in _modules(room)
        for _, member in inspect.getmembers(module, inspect.isclass)
        if issubclass(member, keras.layers.Layer) and member.__module__ == module.__name__
    }
    return {
        member for member in classes if not any(other is not member for other in classes if issubclass(other, member))
    }


def _modules(room: ModuleType) -> list[ModuleType]:
    return [importlib.import_module(f"{room.__name__}.{found.name}") for found in pkgutil.iter_modules(room.__path__)]


def registered_layers() -> set[type]:
    rooms = tuple(room.__name__ for room in ROOMS)
    return {
        value
        for name, value in keras.saving.get_custom_objects().items()
        if name.startswith("tfnmt>") and value.__module__.startswith(rooms) and issubclass(value, keras.layers.Layer)
    }


def constructor_arguments(layer: type) -> dict[str, Any]:
    """The arguments of the layer and of its bases in this package, with their defaults."""
    arguments: dict[str, Any] = {}
    for base in layer.__mro__:
        if base.__module__.startswith("tfnmt.") and "__init__" in vars(base):
            parameters = list(inspect.signature(base.__init__).parameters.values())[1:]
            for parameter in parameters:
                if parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
                    arguments.setdefault(parameter.name, parameter.default)
    return arguments


def model_of(kind: type, seed: int = 7) -> tuple[keras.layers.Layer, keras.Model]:
    """The specimen and the model that uses it, built and compiled."""
    specimen = SPECIMENS[kind]
    keras.utils.set_random_seed(seed)
    layer = specimen.layer(name="specimen")
    model = specimen.model(layer, specimen.inputs)
    model.compile(keras.optimizers.SGD(0.1), "mean_squared_error", run_eagerly=True)
    return layer, model


def outputs_of(model: keras.Model, specimen: Specimen) -> list[np.ndarray]:
    return [keras.ops.convert_to_numpy(output) for output in keras.tree.flatten(model(specimen.inputs))]


def learn_once(model: keras.Model, specimen: Specimen) -> float:
    """One training step of Keras towards outputs of one; returns the loss."""
    targets = keras.tree.map_structure(lambda output: np.ones(output.shape, "float32"), model(specimen.inputs))
    return float(np.ravel(model.train_on_batch(specimen.inputs, targets))[0])
