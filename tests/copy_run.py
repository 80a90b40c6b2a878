"""One tiny translator, trained by the real command: it copies its words."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from tests.warm_starts import run_warm


@dataclass(frozen=True)
class CopyRun:
    """A finished run, the command that made it and what it said."""

    directory: Path
    data: Path
    arguments: list[str]
    said: str
    complained: str


def copy_sentences() -> list[str]:
    """64 sentences of 1 to 8 words drawn from w0 to w19; each is its own translation."""
    draw = random.Random(1)
    return [" ".join(f"w{draw.randrange(20)}" for _ in range(draw.randint(1, 8))) for _ in range(64)]


def train(data: Path, directory: Path) -> CopyRun:
    """Write the corpus, train on it and return the finished run."""
    text = "".join(f"{sentence}\n" for sentence in copy_sentences())
    for name in ("train.en", "train.de", "valid.en", "valid.de", "test.en", "test.de"):
        (data / name).write_text(text, encoding="utf-8")
    settings = {
        "model.encoder.units": 48, "model.encoder.embedding_size": 32, "model.decoder.units": 48,
        "model.decoder.embedding_size": 32, "model.decoder.attention.score.units": 32,
        "model.decoder.readout.units": 32, "model.decoder.readout.projection": 32, "source.minimum_count": 1,
        "target.minimum_count": 1, "corpus.batches.batch_size": 16, "training.optimizer.learning_rate": 0.01,
        "training.steps": 120, "training.epochs": 1000, "training.validation_steps": 60,
    }  # fmt: skip
    overrides = [item for key, value in settings.items() for item in ("--set", f"{key}={value}")]
    arguments = ["train", "rnnsearch50", "--data", str(data), "--languages", "en-de", "--profile", "small"]
    arguments += ["--run", str(directory), *overrides]
    ended = run_warm("-m", "tfnmt", *arguments)
    return CopyRun(directory, data, arguments, ended.output(), ended.complained)
