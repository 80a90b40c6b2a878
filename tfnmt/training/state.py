"""Where a run stands, apart from its weights: what a checkpoint keeps so that a run goes on as if never stopped."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass


@dataclass
class TrainingState:
    """Position of a run.

    An order of the corpus is a pure function of the seed and the epoch, so the position in it is two integers.
    """

    step: int = 0  # updates done, and those that float16 has skipped
    epoch: int = 0  # epochs done
    batch: int = 0  # batches of the present epoch that were used
    best_value: float | None = None  # of the criterion, at the best validation so far
    best_step: int = 0
    last_validation: int = 0  # the step of it
    disappointments: int = 0  # validations since the best one
    seconds: float = 0.0  # spent in training, over all parts of a run that was resumed

    def to_json(self) -> str:
        """The state as one line of JSON; floats come back bit for bit."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> TrainingState:
        """The inverse of `to_json`."""
        return cls(**json.loads(text))
