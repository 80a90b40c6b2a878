"""One translator into several languages that the real command trains: a copy, the reversed order, each word twice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.copy_run import copy_sentences
from tests.warm_starts import run_warm

SENTENCES = copy_sentences()
TURNS: dict[str, Callable[[list[str]], list[str]]] = {
    "de": lambda words: words,
    "fr": lambda words: words[::-1],
    "cs": lambda words: [word for word in words for _ in range(2)],
}
"""What each language makes of the words of a sentence."""

NARROW = [
    f"model.{part}={size}"
    for part, size in {
        "encoder.units": 48, "encoder.embedding_size": 32, "decoder.units": 48, "decoder.embedding_size": 32,
        "decoder.attention.score.units": 32, "decoder.readout.units": 32, "decoder.readout.projection": 32,
    }.items()
]  # fmt: skip
QUICK = [
    "source.minimum_count=1", "target.minimum_count=1", "corpus.batches.batch_size=16",
    "training.optimizer.learning_rate=0.01", "training.epochs=1000",
]  # fmt: skip


def into(language: str, sentence: str) -> str:
    return " ".join(TURNS[language](sentence.split()))


def write(directory: Path) -> Path:
    """Training, validation and test text, all the same sentences."""
    for split in ("train", "valid", "test"):
        (directory / f"{split}.en").write_text("".join(f"{line}\n" for line in SENTENCES), encoding="utf-8")
        for language in TURNS:
            lines = "".join(f"{into(language, line)}\n" for line in SENTENCES)
            (directory / f"{split}.{language}").write_text(lines, encoding="utf-8")
    return directory


def overrides(*settings: str) -> list[str]:
    return [item for setting in settings for item in ("--set", setting)]


def succeeded(*arguments: str) -> str:
    """What the real command says, which must not fail."""
    return run_warm("-m", "tfnmt", *arguments).output()
