"""What a run tells whoever watches it: the progress line, the log, TensorBoard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tfnmt.training.state import TrainingState


@dataclass(frozen=True)
class Start:
    """Before the first step of a run or of a resumed part of it."""

    state: TrainingState
    replicas: int
    parameters: int
    resumed: bool
    loss_name: str | None  # None: the training loss is the negative log-likelihood, else what it is called


@dataclass(frozen=True)
class StepReport:
    """After each step; everything is over the global batch."""

    step: int
    epoch: int  # from 0
    batch: int  # from 0
    loss: float  # sum of the token losses
    tokens: int  # target words and one end symbol a sentence: what `loss` is summed over
    target_words: int  # without end symbols
    sentences: int
    padding_share: float
    learning_rate: float
    gradient_norm: float  # before clipping
    seconds: float  # the step alone, without validation and saving
    seconds_spent: float  # since the run began
    seconds_left: float  # of the run; infinite without a limit


@dataclass(frozen=True)
class ValidationReport:
    """After each validation."""

    step: int
    epoch: int
    results: Mapping[str, float]
    is_best: bool
    best_step: int
    seconds: float


@dataclass(frozen=True)
class End:
    """After the last step of a run or of a part of it."""

    state: TrainingState
    reason: str
    interrupted: bool = False  # it goes on when it is called again
    nothing_to_do: bool = False  # it had ended before


class Observer:
    """Watches a run; each method does nothing unless it is overridden."""

    def started(self, start: Start) -> None:
        """The weights are ready and the first step comes next."""

    def stepped(self, report: StepReport) -> None:
        """A step is done."""

    def validated(self, report: ValidationReport) -> None:
        """A validation is done. The network holds the weights that were validated (the averaged ones)."""

    def ended(self, end: End) -> None:
        """The run is over and saved; called also when nothing was to be done, and when an error ends it: then the last
        checkpoint stays."""
