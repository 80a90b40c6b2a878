"""Any model of the zoo as small as it can be, trained by the real command on a few sentences."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import tensorflow as tf

from tests.copy_run import copy_sentences
from tfnmt.zoo import shelf
from tfnmt.zoo.preparation import SHOWN_LENGTHS
from tfnmt.zoo.run_directory import leaves

SIZES = {"units": 8, "embedding_size": 8, "projection": 8, "hidden_units": 8, "layers": 2, "heads": 2, "size": 20}
"""What the keys of these names are set to, wherever the recipe has them."""
LAUNCH = ["-m", "tfnmt.zoo.launch", "--workers"]


def corpus(directory: Path, pairs: int = 15) -> Path:
    """Sentences that are their own translations: 15 pairs in batches of 7 are batches of 7, 7 and 1.

    None has a length that TensorBoard shows samples of: their pictures would cost each run a graph more.
    """
    sentences = [sentence for sentence in copy_sentences() if len(sentence.split()) not in SHOWN_LENGTHS]
    text = "".join(f"{sentence}\n" for sentence in sentences[:pairs])
    for name in ("train.en", "train.de", "train.fr", "valid.en", "valid.de", "valid.fr"):
        (directory / name).write_text(text, encoding="utf-8")
    return directory


def overrides(model: str) -> list[str]:
    """What makes the network of a recipe small and free of dropout: `key=value`."""
    recipe = shelf.load(model).model_dump(mode="json", exclude_none=True, serialize_as_any=True)
    keys = [f"model.{key}" for key, _ in leaves(recipe["model"])]
    dropouts = [f"{key}=0.0" for key in keys if key.endswith("dropout")]
    return dropouts + [f"{key}={SIZES[name]}" for key in keys if (name := key.split(".")[-1]) in SIZES]


def arguments(model: str, data: Path, directory: Path, *more: str) -> list[str]:
    """`train MODEL ...` with every size small, no dropout, and plain gradient descent."""
    settings = {
        "corpus.batches": '{kind="sentences", batch_size=7}',
        "training.epochs": 2,
        "training.precision": '"float32"',
        "training.optimizer": '{kind="sgd", learning_rate=0.5}',
        **{f"{side}.tokenizer": '{kind="word"}' for side in ("source", "target")},
    }
    given = [*overrides(model), *(f"{key}={value}" for key, value in settings.items()), *more]
    options = [item for override in given for item in ("--set", override)]
    languages = f"en-{','.join(shelf.load(model).languages)}"
    return ["train", model, "--data", str(data), "--languages", languages, "--run", str(directory), *options]


def last_step(directory: Path) -> int:
    """Of the checkpoint that a run would go on from."""
    named = (directory / "checkpoints" / "last" / "checkpoint").read_text(encoding="utf-8")
    return int(re.search(r"ckpt-(\d+)", named)[1])  # type: ignore[index]


def weights(directory: Path) -> dict[str, np.ndarray]:
    """Every number in the last checkpoint of a run that does not count how often it was saved."""
    reader = tf.train.load_checkpoint(str(directory / "checkpoints" / "last"))
    names = [name for name in reader.get_variable_to_shape_map() if not name.startswith("save_counter")]
    kept = {name: np.asarray(reader.get_tensor(name)) for name in names}
    return {name: value for name, value in kept.items() if value.dtype.kind in "fiu"}


def largest_difference(one: Path, other: Path) -> float:
    """Between the weights of two runs."""
    first, second = weights(one), weights(other)
    assert first.keys() == second.keys()
    return max(float(np.abs(first[name].astype(float) - second[name]).max(initial=0.0)) for name in first)


def validation_losses(directory: Path) -> Sequence[float]:
    """As the run's own record has them; of each task where there are several."""
    lines = map(json.loads, (directory / "metrics.jsonl").read_text(encoding="utf-8").splitlines())
    validations = [line for line in lines if line["kind"] == "validation"]
    return [value for line in validations for name, value in line.items() if name.split()[0] == "loss"]
