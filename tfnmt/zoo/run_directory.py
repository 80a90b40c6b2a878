"""The directory of one training run: it explains itself, and is not mistaken for another run's."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tfnmt.errors import UserError
from tfnmt.zoo import shelf
from tfnmt.zoo.recipe import Recipe

_DECIDED = (
    "name ", "joint_vocabulary ", "source.", "target.", "tasks ", "start ", "model.", "corpus.",
    "training.seed ", "training.precision ", "training.optimizer.kind ", "training.average_decay ",
)  # fmt: skip
"""Keys that weights, vocabularies or the position in the corpus depend on: they cannot change in mid-run."""

_LOCK = "lock"
"""What `tfnmt.training.lock.RunLock` leaves in a directory."""

_EXPLANATION = """\
One training run of {title}, by `tfnmt train`.

recipe.toml       everything that made it: the effective recipe, overrides included
translator.keras  the best model so far: tfnmt translate, evaluate, align, score and export take this directory;
                  in Python: import keras, tfnmt; keras.models.load_model("translator.keras")
log.txt           what the command said
metrics.jsonl     the figures, one JSON object a line
tensorboard/      the same as curves, with attention and sample translations: tensorboard --logdir tensorboard
vocabularies/     the words or word pieces of both sides; the run does not go on with others
start.keras       the trained model that it started from, if it did from one
checkpoints/      what the run goes on from: the same command again, or tfnmt train with this directory
corpora/          the text as ids; made again when it is deleted
"""


class RunDirectory:
    """Where everything of one run is.

    Args:
        path: the directory; made by `open`.

    Attributes:
        explanation: says what each file is.
        recipe_file: the effective recipe.
        translator: the best translator so far, for `keras.saving.load_model`.
        start: the trained model that the run began with, where its recipe names one.
        checkpoints: what `--resume` goes on from.
        corpora: the encoded corpus, as memory-mapped ids; can be deleted at any time.
        tensorboard: what `tensorboard --logdir` shows.
        metrics: the figures of the run, one JSON object a line.
        log: what the command printed.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.explanation = self.path / "README.txt"
        self.recipe_file = self.path / "recipe.toml"
        self.translator = self.path / "translator.keras"
        self.start = self.path / "start.keras"
        self.checkpoints = self.path / "checkpoints"
        self.corpora = self.path / "corpora"
        self.tensorboard = self.path / "tensorboard"
        self.metrics = self.path / "metrics.jsonl"
        self.log = self.path / "log.txt"

    def vocabulary(self, side: str) -> Path:
        """The directory of the `source` or `target` tokenizer's vocabulary, or of the `joint` one."""
        return self.path / "vocabularies" / side

    def keep_start(self, file: Path) -> None:
        """Keep the translator that the run starts from: it goes on from that one, whatever becomes of the other."""
        aside = self.start.with_suffix(".new")
        shutil.copyfile(file, aside)
        aside.replace(self.start)

    @property
    def exists(self) -> bool:
        """Whether a run was begun here."""
        return self.recipe_file.is_file()

    def check(self, recipe: Recipe) -> list[str]:
        """Check that a run can be begun or gone on with here; nothing is written.

        Returns:
            What differs from the recipe that the run was begun with, a line for each key; the new values hold.

        Raises:
            UserError: a key differs that cannot change in mid-run, or the directory holds something else.
        """
        if self.exists:
            changes = list(_changes(_flat(shelf.load(str(self.recipe_file))), _flat(recipe)))
            decided = [change for change in changes if change.startswith(_DECIDED)]
            if decided:
                raise UserError(
                    f"'{self.path}' holds a run that was begun otherwise, and this cannot change in mid-run:\n  "
                    + "\n  ".join(decided)
                    + "\nName another directory by --run, or give the run's own values."
                )
            return changes
        if self.path.is_dir() and any(path.name != _LOCK for path in self.path.iterdir()):
            raise UserError(f"'{self.path}' is not empty and holds no run. Name another directory by --run.")
        return []

    def open(self, recipe: Recipe) -> list[str]:
        """Begin the run here, or go on with it.

        Returns:
            What `check` returns.

        Raises:
            UserError: for what `check` raises, or the directory cannot be written.
        """
        changes = self.check(recipe)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            aside = self.recipe_file.with_suffix(".new")
            aside.write_text(shelf.dumps(recipe), encoding="utf-8")
            aside.replace(self.recipe_file)
            self.explanation.write_text(_EXPLANATION.format(title=recipe.title), encoding="utf-8")
        except OSError as error:
            raise UserError(f"The run directory '{self.path}' cannot be written: {error.strerror}.") from error
        return changes


def _flat(recipe: Recipe) -> dict[str, Any]:
    return dict(leaves(recipe.model_dump(mode="json", exclude_none=True, serialize_as_any=True)))


def leaves(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Each value in a table of tables with its dotted key."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for key in [*before, *(key for key in now if key not in before)]:
        if before.get(key) != now.get(key):
            yield f"{key} was {before.get(key, 'not given')}, is {now.get(key, 'not given')}"
