"""Runs a SavedModel through TensorFlow's C API: the loader that TensorFlow Serving uses, and no Python TensorFlow.

Usage: `python c_api.py EXPORT < request.json`, where the request is

    {"libraries": true, "inputs": {"serving_default_sentences:0": ["…"]}, "outputs": ["StatefulPartitionedCall:0"]}

and the answer on standard output a list with one nested list an output. With `"libraries": false`, tensorflow-text's
kernels are not registered and loading fails as in a server that lacks them.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

STRING_BYTES = 24  # sizeof(TF_TString)
FLOAT, INT32, STRING = 1, 3, 7  # TF_DataType
Pointer = ctypes.c_void_p


class Output(ctypes.Structure):
    """TF_Output: one output of an operation."""

    _fields_ = (("operation", Pointer), ("index", ctypes.c_int))


def folder_of(package: str) -> Path:
    """Where a package is installed, found without importing it."""
    specification = importlib.util.find_spec(package)
    assert specification and specification.origin
    return Path(specification.origin).parent


class Library:
    """The functions of the C API; each call checks its status."""

    def __init__(self) -> None:
        folder = folder_of("tensorflow")
        names = ("libtensorflow_framework.so.2", "libtensorflow_cc.so.2")
        self._parts = [ctypes.CDLL(str(folder / name), mode=ctypes.RTLD_GLOBAL) for name in names]
        self._status = self.call("TF_NewStatus", Pointer)

    def call(self, name: str, result: Any, *arguments: Any) -> Any:
        """A function that has no status."""
        function = next(getattr(part, name) for part in self._parts if hasattr(part, name))
        function.restype = result
        return function(*arguments)

    def checked(self, name: str, result: Any, *arguments: Any) -> Any:
        """A function whose last argument is a status."""
        value = self.call(name, result, *arguments, Pointer(self._status))
        if self.call("TF_GetCode", ctypes.c_int, Pointer(self._status)):
            sys.exit(self.call("TF_Message", ctypes.c_char_p, Pointer(self._status)).decode())
        return value

    def register_text_kernels(self) -> None:
        for path in sorted(folder_of("tensorflow_text").glob("python/ops/*.so")):
            self.checked("TF_LoadLibrary", Pointer, str(path).encode())


class Session:
    """A loaded SavedModel."""

    def __init__(self, library: Library, export: str) -> None:
        self._library = library
        self._graph = Pointer(library.call("TF_NewGraph", Pointer))
        tags = (ctypes.c_char_p * 1)(b"serve")
        options = Pointer(library.call("TF_NewSessionOptions", Pointer))
        self._session = Pointer(
            library.checked(
                "TF_LoadSessionFromSavedModel", Pointer, options, None, export.encode(), tags, 1, self._graph, None
            )
        )

    def run(self, inputs: dict[str, list[str]], outputs: list[str]) -> list[Any]:
        feeds = (Output * len(inputs))(*map(self._output, inputs))
        values = (Pointer * len(inputs))(*map(self._strings, inputs.values()))
        fetches = (Output * len(outputs))(*map(self._output, outputs))
        results = (Pointer * len(outputs))()
        self._library.checked(
            "TF_SessionRun",
            None,
            *(self._session, None),
            *(feeds, values, len(inputs)),
            *(fetches, results, len(outputs)),
            *(None, 0, None),
        )
        return [self._nested(Pointer(result)) for result in results]

    def _output(self, name: str) -> Output:
        operation, _, index = name.partition(":")
        found = self._library.call("TF_GraphOperationByName", Pointer, self._graph, operation.encode())
        assert found, f"no operation {operation}"
        return Output(found, int(index))

    def _strings(self, strings: list[str]) -> int:
        dimensions = (ctypes.c_int64 * 1)(len(strings))
        size = ctypes.c_size_t(STRING_BYTES * len(strings))
        tensor = self._library.call("TF_AllocateTensor", Pointer, STRING, dimensions, 1, size)
        data = self._library.call("TF_TensorData", Pointer, Pointer(tensor)) or 0
        for position, string in enumerate(strings):
            place, content = Pointer(data + STRING_BYTES * position), string.encode()
            self._library.call("TF_StringInit", None, place)
            self._library.call("TF_StringCopy", None, place, content, ctypes.c_size_t(len(content)))
        return tensor

    def _nested(self, tensor: Pointer) -> Any:
        rank = self._library.call("TF_NumDims", ctypes.c_int, tensor)
        shape = [self._library.call("TF_Dim", ctypes.c_int64, tensor, axis) for axis in range(rank)]
        values = self._values(tensor, math.prod(shape))

        def nest(axis: int) -> Any:
            return next(values) if axis == rank else [nest(axis + 1) for _ in range(shape[axis])]

        return nest(0)

    def _values(self, tensor: Pointer, count: int) -> Iterator[Any]:
        data = self._library.call("TF_TensorData", Pointer, tensor) or 0
        kind = self._library.call("TF_TensorType", ctypes.c_int, tensor)
        if kind == STRING:
            return iter([self._string(Pointer(data + STRING_BYTES * position)) for position in range(count)])
        number = {FLOAT: ctypes.c_float, INT32: ctypes.c_int32}[kind]
        return iter((number * count).from_address(data) if count else [])

    def _string(self, place: Pointer) -> str:
        size = self._library.call("TF_StringGetSize", ctypes.c_size_t, place)
        return ctypes.string_at(self._library.call("TF_StringGetDataPointer", Pointer, place), size).decode()


def main() -> None:
    request = json.load(sys.stdin)
    library = Library()
    if request["libraries"]:
        library.register_text_kernels()
    answer = Session(library, sys.argv[1]).run(request["inputs"], request["outputs"])
    assert "tensorflow" not in sys.modules and "tensorflow_text" not in sys.modules
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
