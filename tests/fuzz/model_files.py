"""`.keras` files as Hypothesis draws them: a good one, something of which is changed, lost or added."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from tests.fuzz.inputs import WORDS, damaged
from tests.keras_files import Files, packed, unpacked
from tfnmt.zoo.archive import CONFIG, MEMBERS

Place = tuple[Any, Any]
"""A container of the configuration and the key or index of one of its values."""

ODD_VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 9), st.integers(), st.floats(allow_nan=True), WORDS,
    st.sampled_from([[], {}, [[]], 10**9, "../../evil", "/etc/passwd", "float64", "string", "sum",
                     {"class_name": "__lambda__", "config": {"code": "4wAAAAA=", "defaults": None, "closure": None}},
                     {"module": "os", "class_name": "system", "config": "touch evil"},
                     {"module": "keras.layers", "class_name": "Lambda", "config": {"function": "evil"}},
                     {"class_name": "Dense", "module": "keras.layers", "config": {"units": 3}}]),
)  # fmt: skip
NAMES = st.one_of(
    st.sampled_from([*MEMBERS, "assets/evil", "../evil", "/evil", "assets/../../evil", "assets/", "a\\b", "C:evil"]),
    WORDS,
)


@dataclass(frozen=True)
class ModelFile:
    """What a `.keras` file holds; a failing example shows its configuration, not its weights."""

    content: bytes

    def __repr__(self) -> str:
        try:
            files = unpacked(self.content)
        except Exception:  # damaged: then its size must do
            return f"{len(self.content)} bytes"
        sizes = {name: len(content) for name, content in files.items()}
        return f"{sizes}\n{files.get(CONFIG, b'').decode(errors='replace')}"


@st.composite
def model_files(draw: Callable[..., Any], good: bytes) -> ModelFile:
    """The file `good` after one to three changes."""
    if draw(st.integers(0, 4)) == 0:
        return ModelFile(draw(damaged(st.just(good))))
    files = unpacked(good)
    for _ in range(draw(st.integers(1, 3))):
        change = draw(st.sampled_from([_configuration, _configuration, _member, _lost, _more]))
        files = change(draw, files)
    return ModelFile(packed(files))


def _configuration(draw: Callable[..., Any], files: Files) -> Files:
    """Another value somewhere in the configuration: an odd one, or what stands in another place."""
    try:
        configuration = json.loads(files[CONFIG])
    except (KeyError, ValueError):  # a change before this one took it
        return files
    places = list(_places(configuration))
    if not places:
        return files
    container, key = draw(st.sampled_from(places))
    other, name = draw(st.sampled_from(places))
    container[key] = draw(st.one_of(ODD_VALUES, st.just(json.loads(json.dumps(other[name])))))
    return {**files, CONFIG: json.dumps(configuration).encode()}


def _places(value: Any) -> Iterator[Place]:
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])


def _member(draw: Callable[..., Any], files: Files) -> Files:
    """Some bytes of one member are others."""
    if not files:
        return files
    name = draw(st.sampled_from(sorted(files)))
    return {**files, name: draw(damaged(st.just(files[name])))}


def _lost(draw: Callable[..., Any], files: Files) -> Files:
    if not files:
        return files
    gone = draw(st.sampled_from(sorted(files)))
    return {name: content for name, content in files.items() if name != gone}


def _more(draw: Callable[..., Any], files: Files) -> Files:
    """A member that is not Keras's, or the content of one under the name of another."""
    content = draw(st.one_of(st.binary(max_size=50), st.sampled_from(sorted(files.values()) or [b""])))
    return {**files, draw(NAMES): content}
