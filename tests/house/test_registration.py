"""Every public Keras class of the package is registered, so that `load_model` needs nothing but `import tfnmt`."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator

import keras
import pytest

import tfnmt
from tests.processes import python

KERAS_BASES = (
    keras.layers.Layer,
    keras.initializers.Initializer,
    keras.optimizers.Optimizer,
    keras.optimizers.schedules.LearningRateSchedule,
)


def public_keras_classes() -> Iterator[type]:
    for module in pkgutil.walk_packages(tfnmt.__path__, "tfnmt."):
        if module.name == "tfnmt.__main__":
            continue
        for name, member in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if member.__module__ == module.name and not name.startswith("_") and issubclass(member, KERAS_BASES):
                yield member


@pytest.mark.parametrize(
    "public_class", sorted(public_keras_classes(), key=lambda c: c.__name__), ids=lambda c: c.__name__
)
def test_every_keras_class_is_registered(public_class: type) -> None:
    is_a_base = any(subclass.__module__.startswith("tfnmt.") for subclass in public_class.__subclasses__())
    assert is_a_base or keras.saving.get_registered_name(public_class).startswith("tfnmt>")


@pytest.mark.parametrize("order", ["import tfnmt, keras", "import keras, tfnmt"])
def test_the_classes_are_registered_whichever_is_imported_first(order: str) -> None:
    program = f"{order}\nassert keras.saving.get_registered_object('tfnmt>EncoderDecoder') is not None"
    python("-c", program).output()


def test_importing_the_package_imports_no_tensorflow() -> None:
    program = "import sys, tfnmt\nassert 'tensorflow' not in sys.modules and 'keras' not in sys.modules"
    python("-c", program).output()
