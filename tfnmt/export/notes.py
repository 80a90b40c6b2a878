"""What an export says about itself to the person who finds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import tensorflow as tf

import tfnmt
from tfnmt.export.exported_translator import WHICH_FILE
from tfnmt.export.signatures import TO, Signature

_NOTES = """# {model}

A translator: raw sentences in, raw sentences out. Written by tfnmt {tfnmt_version}, TensorFlow {tensorflow_version}.
Every search here has a beam of {beam_size} places; `n_best` returns {n_best} translations. Weights are kept as
{weights}. The recipe beside this file says what the model is and how it was trained.

## Which file is for what

{which_file}

## Signatures

Every input and output begins with the batch axis; strings are UTF-8.

| signature | inputs | outputs |
| --- | --- | --- |
{signatures}
{languages}
The score of `serving_default` and `n_best` is what ranked the translations; that of `score` is a log-probability. A
blank sentence has the empty translation. Where fewer than {n_best} translations were found, the rest are empty and
score the lowest float32 number. Tokens are padded with empty strings, weights with 0.

## Operations that are not part of TensorFlow

{operations}
"""

_NEEDED = """{names}

They come with tensorflow-text {minor} (TensorFlow {minor}). TensorFlow Serving images of that version or newer
hold them. Other runtimes must load the libraries of the tensorflow-text wheel (`import tensorflow_text` in Python,
`TF_LoadLibrary` in C), or they stop with "Op type not registered"."""


def notes(
    model: str,
    ways: Mapping[str, Signature],
    needed: Sequence[str],
    beam_size: int,
    n_best: int,
    weights: str = "float32",
) -> str:
    """The notes of one export, in Markdown.

    Args:
        model: name of the model.
        ways: the signatures by name.
        needed: operations that are not part of TensorFlow.
        beam_size: places in the beam.
        n_best: how many translations the signature of that name returns.
        weights: the form they are kept in.
    """
    return _NOTES.format(
        model=model,
        tfnmt_version=tfnmt.__version__,
        tensorflow_version=tf.__version__,
        beam_size=beam_size,
        n_best=n_best,
        weights=weights,
        which_file=WHICH_FILE,
        signatures="\n".join(_row(name, way) for name, way in ways.items()),
        languages=_languages(ways),
        operations=_operations(needed),
    )


def _row(name: str, way: Signature) -> str:
    inputs = ", ".join(f"`{name_of_input}` [batch]" for name_of_input in way.inputs)
    outputs = ", ".join(f"`{output}` {axes}" for output, axes in way.outputs.items())
    return f"| `{name}` | {inputs} | {outputs} |"


def _languages(ways: Mapping[str, Signature]) -> str:
    known = next(iter(ways.values())).languages
    if not known:
        return ""
    return f"\n`{TO}` names the language that a row is translated into: {', '.join(known)}. Rows may differ.\n"


def _operations(needed: Sequence[str]) -> str:
    if not needed:
        return "None: every TensorFlow runtime of this version can run it."
    minor = ".".join(tf.__version__.split(".")[:2])
    return _NEEDED.format(names=", ".join(f"`{name}`" for name in needed), minor=minor)
