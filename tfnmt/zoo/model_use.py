"""How a MODEL of the command line is used: options of every command that takes one."""

from __future__ import annotations

from typing import NamedTuple

import click

from tfnmt.zoo.gathered_options import Command, gathered
from tfnmt.zoo.lexicon_use import LexiconUse, with_lexicon

COMBINATIONS = {
    "logits": "MeanOfLogits",
    "log-probabilities": "MeanOfLogProbabilities",
    "probabilities": "MeanOfProbabilities",
}
"""Names on the command line of the classes in `tfnmt.models.combination`."""


class ModelUse(NamedTuple):
    """How a model, or several as one, are used; None each for as the model was told.

    Attributes:
        to: the target language, of a model that has several.
        combination: how the models of an ensemble vote, one of `COMBINATIONS`; None for the mean of logits.
        alpha: share of the probability in a search by a value network.
        lexicon: how a lexicon is used.
    """

    to: str | None = None
    combination: str | None = None
    alpha: float | None = None
    lexicon: LexiconUse | None = None


AS_TOLD = ModelUse()
"""All as the model was told."""


def _gather(use: ModelUse, alpha: float | None, lexicon: LexiconUse | None) -> ModelUse:
    return use._replace(alpha=alpha, lexicon=lexicon)


with_model_use = gathered(
    "use",
    lambda to, combination: ModelUse(to, combination),
    click.option("--to", metavar="LANGUAGE", help="The language to translate into, where the model knows several."),
    click.option(
        "--combine",
        "combination",
        type=click.Choice(list(COMBINATIONS)),
        help="How the models of an ensemble (MODEL,MODEL,...) vote on each word: by the mean of their logits, of their "
        "log-probabilities or of their probabilities.  [default: logits]",
    ),
)
"""Gives a command that reads a model's figures the argument `use`, a `ModelUse`."""

_with_search = gathered(
    "use",
    _gather,
    click.option(
        "--alpha",
        type=click.FloatRange(0, 1),
        help="Share of the probability beside the value, for a model with a value network; 1 is plain beam search.  "
        "[default: the model's own]",
    ),
)


def with_translation_use(command: Command) -> Command:
    """The same for a command that translates: it searches, and writes words."""
    return with_lexicon(with_model_use(_with_search(command)))
