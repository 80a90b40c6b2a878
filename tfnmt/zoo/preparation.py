"""What a run makes ready before its loop begins, whatever kind of model it trains."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import keras

from tfnmt.corpora.batches import Batches
from tfnmt.corpora.encoded_corpus import EncodedCorpus, LengthLimits
from tfnmt.corpora.order import InOrder
from tfnmt.corpora.sentence_pairs import SentencePairs
from tfnmt.decoding.translator import Translator
from tfnmt.errors import UserError
from tfnmt.evaluation.metrics import bleu_detokenized
from tfnmt.models.encoder_decoder import EncoderDecoder
from tfnmt.models.ensemble import Ensemble
from tfnmt.training.criterion import Criterion
from tfnmt.training.samples import Sample, Samples
from tfnmt.training.strategies import Strategy
from tfnmt.training.stream import BatchSource, TrainingBatch
from tfnmt.training.team import Team, team
from tfnmt.training.validation import LikelihoodValidation, Validation
from tfnmt.zoo import builder, translators
from tfnmt.zoo.journal import Journal
from tfnmt.zoo.pairs import pairs
from tfnmt.zoo.recipe import Recipe, Side
from tfnmt.zoo.run_directory import RunDirectory

VALIDATION_BATCH = 80
SHOWN_LENGTHS = (5, 8, 12, 18, 25)
"""Lengths in words of the validation sentences whose translations TensorBoard shows."""
_FINGERPRINT = "fingerprint.txt"


class Preparation(NamedTuple):
    """What the loop trains, on what, and by what it is judged.

    Attributes:
        network: made in the scope of the strategy.
        translator: holds the network; it is what a run leaves behind.
        batches: the training text.
        validations: each measures the network.
        criterion: which of their results decides.
        samples: translates some sentences, to be looked at.
        where: says where the pair of a number comes from.
        before_step: called with each batch before it is trained on.
    """

    network: keras.Model
    translator: keras.Model
    batches: BatchSource
    validations: Sequence[Validation]
    criterion: Criterion
    samples: Callable[[], Sequence[Sample]]
    where: Callable[[int], Any]
    before_step: Callable[[TrainingBatch], None] | None = None


@dataclass(frozen=True)
class Run:
    """A run that is made ready.

    Args:
        recipe: the effective recipe.
        directory: opened with this recipe.
        tell: takes what a person should know.
        strategy: the devices and workers that share each batch. The chief alone writes.
    """

    recipe: Recipe
    directory: RunDirectory
    tell: Journal
    strategy: Strategy

    @cached_property
    def members(self) -> Team:
        """The processes that train together."""
        return team(self.strategy)

    @contextmanager
    def chief_first(self) -> Iterator[None]:
        """What the chief writes inside, vocabularies and corpora, the others read."""
        with self.members.watched(), self.members.chief_first():
            yield

    @contextmanager
    def making_layers(self) -> Iterator[None]:
        """Layers that are made inside have the recipe's precision, and their weights are those of all devices."""
        before = keras.config.dtype_policy()
        keras.config.set_dtype_policy(self.recipe.training.precision)
        try:
            with self.strategy.scope():
                yield
        finally:
            keras.config.set_dtype_policy(before)

    def start(self) -> Any:
        """The trained translator that the recipe starts from, as it was when the run began; None without one.

        Raises:
            UserError: it cannot be loaded.
        """
        if self.recipe.start is None:
            return None
        with self.chief_first():
            if not self.directory.start.is_file():
                self.directory.keep_start(translators.find(self.recipe.start))
        with self.strategy.scope():
            return translators.load_file(self.directory.start)

    def tokenizer(self, name: str, side: Side, lines: Iterable[str]) -> Any:
        """The tokenizer of one side with the vocabulary of the run, which is learnt when the run begins.

        Raises:
            UserError: the vocabulary in the directory is not the one that was learnt.
        """
        tokenizer = builder.tokenizer(side)
        folder = self.directory.vocabulary(name)
        kept = folder / _FINGERPRINT
        if kept.is_file():
            tokenizer.load_assets(str(folder))
            if tokenizer.vocabulary.fingerprint != kept.read_text(encoding="utf-8").strip():
                raise UserError(
                    f"The {name} vocabulary in '{folder}' is not the one that the run was begun with: words were "
                    "added, removed or moved, and every id would mean another word. Put the old file back, or begin "
                    "another run."
                )
        else:
            tokenizer.learn(lines, side.vocabulary_size, side.minimum_count)
            folder.mkdir(parents=True, exist_ok=True)
            tokenizer.save_assets(str(folder))
            kept.write_text(f"{tokenizer.vocabulary.fingerprint}\n", encoding="utf-8")
        self.tell(f"{name.capitalize()} vocabulary: {tokenizer.vocabulary_size:,} entries ({side.language}).")
        return tokenizer

    def corpora(self, recipe: Recipe, tokenizers: tuple[Any, Any]) -> tuple[EncodedCorpus, EncodedCorpus]:
        """The encoded training text and validation text of a recipe (of one task), the first without long pairs."""
        limits = LengthLimits(recipe.corpus.maximum_length, recipe.corpus.maximum_length)
        into = f" into {recipe.target.language}" if self.recipe.tasks else ""
        return (
            self._encoded(f"Training text{into}", pairs(recipe, "train"), tokenizers, limits),
            self._encoded(f"Validation text{into}", pairs(recipe, "valid"), tokenizers, LengthLimits()),
        )

    def batches(self, corpus: EncodedCorpus) -> Batches:
        """The minibatches of a corpus, as the recipe wants them."""
        batches: Batches = builder.build(
            self.recipe.corpus.batches, {"corpus": corpus, "seed": self.recipe.training.seed}
        )
        return batches

    def likelihood(self, network: keras.Model, corpus: EncodedCorpus) -> LikelihoodValidation:
        """Loss and perplexity of held-out text."""
        return LikelihoodValidation(self.strategy, network, in_order(corpus))

    def _encoded(
        self, title: str, text: SentencePairs, tokenizers: tuple[Any, Any], limits: LengthLimits
    ) -> EncodedCorpus:
        corpus, report = EncodedCorpus.build(text, *tokenizers, limits, self.directory.corpora)
        self.tell(report.table(title))
        for warning in report.warnings():
            self.tell(f"Warning: {warning}")
        return corpus


class HeldOut:
    """Validation text as it was written, and what a translator makes of it.

    Args:
        recipe: of one target language.
        translator: into that language.
    """

    def __init__(self, recipe: Recipe, translator: Translator) -> None:
        text = pairs(recipe, "valid")
        self.translator = translator
        self.sources, self.references = list(text.sources()), list(text.targets())

    def bleu(self, beam_size: int = 1) -> float:
        """BLEU of the translations, greedy ones unless a beam is named."""
        return bleu_detokenized(self.translator.translate(self.sources, beam_size=beam_size), self.references).value

    def samples(self) -> Samples:
        """Some sentences to look at, from short to long: the first of each length that has one."""
        first: dict[int, int] = {}
        for number, source in enumerate(self.sources):
            first.setdefault(len(source.split()), number)
        shown = [first[length] for length in SHOWN_LENGTHS if length in first]
        return Samples(
            self.translator,
            [self.sources[number] for number in shown],
            [self.references[number] for number in shown],
        )


def is_of_one_network(start: object) -> bool:
    """Whether a starting model is a translator by one encoder, one decoder and one output layer."""
    return (
        isinstance(start, Translator)
        and isinstance(start.network, EncoderDecoder)
        and not isinstance(start.network, Ensemble)
    )


def in_order(corpus: EncodedCorpus) -> list[Any]:
    """The batches of held-out text."""
    return list(Batches(corpus, batch_size=VALIDATION_BATCH, order=InOrder()).epoch(0))


def named(validation: Validation, suffix: str) -> Validation:
    """The same validation, whose results have longer names."""

    def measured() -> Mapping[str, float]:
        return {f"{name} {suffix}": value for name, value in validation().items()}

    return measured
