"""A sampled output from the command that trains it to the export, with candidate lists of its own lexicon."""

from __future__ import annotations

import json
import re
from pathlib import Path

import keras
import numpy as np
import pytest

from tests.copy_run import copy_sentences
from tests.processes import python
from tfnmt.export import export_saved_model, load

SETTINGS = {
    "model.encoder.units": 48, "model.encoder.embedding_size": 32, "model.decoder.units": 48,
    "model.decoder.embedding_size": 32, "model.decoder.attention.score.units": 32,
    "model.decoder.readout.units": 32, "model.decoder.readout.projection": 32, "corpus.batches.batch_size": 8,
    "corpus.batches.fetch": 2, "model.output.sampling.size": 18, "training.optimizer.learning_rate": 0.01,
    "training.epochs": 1000, "training.validation_steps": 100, "decoding.candidates.common": 12,
    "decoding.candidates.translations": 2,
}  # fmt: skip


def run(data: Path, directory: Path, **changed: object) -> str:
    settings = {**SETTINGS, **{name.replace("__", "."): value for name, value in changed.items()}}
    overrides = [item for key, value in settings.items() for item in ("--set", f"{key}={value}")]
    arguments = ["train", "rnnsearch_lv", "--data", str(data), "--languages", "en-de", "--profile", "small"]
    return python("-m", "tfnmt", *arguments, "--run", directory, *overrides).output()


def accuracy(translations: list[str]) -> float:
    """Of copies of the sentences, word by word."""
    pairs = [(one.split(), other.split()) for one, other in zip(translations, copy_sentences(), strict=True)]
    right = sum(a == b for one, other in pairs for a, b in zip(one, other, strict=False))
    return right / sum(len(other) for _, other in pairs)


@pytest.mark.slow
def test_a_sampled_model_copies_and_leaves_with_its_candidate_lists(tmp_path: Path) -> None:  # C37
    text = "".join(f"{sentence}\n" for sentence in copy_sentences())
    for name in ("train.en", "train.de", "valid.en", "valid.de", "test.en", "test.de"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    directory = tmp_path / "run"
    said = run(tmp_path, directory, training__steps=150)
    assert "sampled loss" in said
    run(tmp_path, directory, training__steps=300)  # goes on where it was
    lines = [json.loads(line) for line in (directory / "metrics.jsonl").read_text().splitlines()]
    last = [line for line in lines if line["kind"] == "validation"][-1]
    assert last["perplexity"] < 1.5

    pair = [str(tmp_path / f"train.{side}") for side in ("en", "de")]
    links = tmp_path / "links"
    rows = (" ".join(f"{n}-{n}" for n in range(len(line.split()))) for line in copy_sentences())
    links.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    sides = ["--source", pair[0], "--target", pair[1]]
    python("-m", "tfnmt", "lexicon", directory, *sides, "--links", links, "--keep").output()
    translator = keras.saving.load_model(directory / "translator.keras")
    assert translator.candidates.common == 12
    translations = translator.translate(copy_sentences())
    assert accuracy(translations) > 0.95
    exact = -np.array(translator.score(copy_sentences()[:8], copy_sentences()[:8]))
    assert np.all(exact > 0)

    export_saved_model(translator, tmp_path / "export", beam_size=3)
    exported = load(tmp_path / "export" / "1")
    assert exported.translate(copy_sentences()[:5]) == translator.translate(copy_sentences()[:5], beam_size=3)

    tuned = tmp_path / "tuned"
    run(
        tmp_path, tuned, start=directory, training__steps=20, training__seed=2, training__fix_word_vectors="true"
    )  # in another order of the corpus
    after = keras.saving.load_model(tuned / "translator.keras")
    assert after.lexicon.entries == translator.lexicon.entries and after.candidates.common == 12
    moved = {
        re.sub(r"_\d+", "", one.path): not np.array_equal(one.numpy(), other.numpy())
        for one, other in zip(translator.network.weights, after.network.weights, strict=True)
    }
    assert {path for path, has_moved in moved.items() if not has_moved} == {
        path for path in moved if path.endswith(("embedding/table", "output/kernel", "output/bias"))
    }
