"""Classic neural machine translation on TensorFlow and Keras.

Importing this package is quick: it imports neither TensorFlow nor Keras. It registers every layer, model and tokenizer
for `keras.saving.load_model` as soon as Keras itself is imported, whichever of the two comes first.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from wrapt import when_imported

__version__ = "0.1.0"

_ROOMS = ("text", "layers", "models", "decoding")
_PUBLIC = {"Translator": "tfnmt.decoding.translator", "UserError": "tfnmt.errors"}


@when_imported("keras")
def _register(_keras: ModuleType) -> None:
    """Load the rooms whose classes Keras must know by name."""
    for room in _ROOMS:
        importlib.import_module(f"tfnmt.{room}")


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'tfnmt' has no attribute '{name}'")
    return getattr(importlib.import_module(_PUBLIC[name]), name)
