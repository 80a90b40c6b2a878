"""One training run from a recipe: vocabularies, encoded corpus, network, loop, translator."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import keras

from tfnmt.corpora.batches import Batches
from tfnmt.corpora.encoded_corpus import EncodedCorpus, LengthLimits
from tfnmt.corpora.order import InOrder
from tfnmt.corpora.sentence_pairs import SentencePairs
from tfnmt.decoding.translator import Translator
from tfnmt.errors import UserError
from tfnmt.evaluation.metrics import bleu_detokenized
from tfnmt.training.averaging import ExponentialAverage
from tfnmt.training.budget import Budget
from tfnmt.training.criterion import Criterion
from tfnmt.training.metrics_log import MetricsLog
from tfnmt.training.normalization import LossNormalization
from tfnmt.training.observer import End
from tfnmt.training.samples import Samples
from tfnmt.training.tensorboard import TensorBoardLog
from tfnmt.training.trainer import Intervals, Trainer
from tfnmt.training.validation import LikelihoodValidation
from tfnmt.zoo import builder, shelf
from tfnmt.zoo.journal import Journal
from tfnmt.zoo.pairs import pairs
from tfnmt.zoo.recipe import Recipe, Side, Training
from tfnmt.zoo.run_directory import RunDirectory

VALIDATION_BATCH = 80
SHOWN_LENGTHS = (5, 8, 12, 18, 25)
"""Lengths in words of the validation sentences whose translations TensorBoard shows."""
_FINGERPRINT = "fingerprint.txt"


def train(recipe: Recipe, directory: RunDirectory, tell: Journal) -> End:
    """Train the model of a recipe until its budget is spent, or go on with the run that the directory holds.

    Args:
        recipe: the effective recipe.
        directory: opened with this recipe.
        tell: takes what a person should know.

    Raises:
        UserError: the corpus, the vocabularies or the checkpoint do not fit; nothing was overwritten.
    """
    training = recipe.training
    keras.utils.set_random_seed(training.seed)
    text, held_out = pairs(recipe, "train"), pairs(recipe, "valid")
    source_tokenizer = _tokenizer(directory, "source", recipe.source, text, tell)
    target_tokenizer = _tokenizer(directory, "target", recipe.target, text, tell)
    limits = LengthLimits(recipe.corpus.maximum_length, recipe.corpus.maximum_length)
    tokenizers = (source_tokenizer, target_tokenizer)
    corpus = _encoded("Training text", text, tokenizers, limits, directory, tell)
    held_out_corpus = _encoded("Validation text", held_out, tokenizers, LengthLimits(), directory, tell)
    with _precision(training.precision):
        network = builder.network(recipe, source_tokenizer.vocabulary_size, target_tokenizer.vocabulary_size)
    translator = builder.translator(recipe, source_tokenizer, target_tokenizer, network)
    batches = builder.build(recipe.corpus.batches, {"corpus": corpus, "seed": training.seed})
    sources, references = list(held_out.sources()), list(held_out.targets())
    shown = _first_of_each_length(sources)
    samples = Samples(translator, [sources[number] for number in shown], [references[number] for number in shown])
    trainer = Trainer(
        network,
        builder.build(training.optimizer, {"steps_per_epoch": batches.count(0)}),
        batches,
        directory.checkpoints,
        normalization=LossNormalization(training.normalization),
        clip_norm=training.clip_norm,
        average=ExponentialAverage(training.average_decay) if training.average_decay else None,
        validations=[_likelihood(network, held_out_corpus), _bleu(translator, sources, references)],
        criterion=Criterion("bleu", larger_is_better=True, patience=training.patience),
        budget=_budget(training),
        intervals=Intervals(validate_every=training.validation_steps),
        observers=[
            *tell.progress(),
            MetricsLog(directory.metrics),
            TensorBoardLog(directory.tensorboard, shelf.dumps(recipe), samples),
        ],
        save_best=lambda: _save(translator, directory),
        where=corpus.where,
        loss_name=recipe.model.loss_name,
    )
    return trainer.train()


@contextmanager
def _precision(name: str) -> Iterator[None]:
    """Layers that are made inside have this dtype policy."""
    before = keras.config.dtype_policy()
    keras.config.set_dtype_policy(name)
    try:
        yield
    finally:
        keras.config.set_dtype_policy(before)


def _tokenizer(directory: RunDirectory, name: str, side: Side, text: SentencePairs, tell: Callable[[Any], None]) -> Any:
    """The tokenizer of one side with the vocabulary of the run, which is learnt when the run begins."""
    tokenizer = builder.tokenizer(side)
    folder = directory.vocabulary(name)
    kept = folder / _FINGERPRINT
    if kept.is_file():
        tokenizer.load_assets(str(folder))
        if tokenizer.vocabulary.fingerprint != kept.read_text(encoding="utf-8").strip():
            raise UserError(
                f"The {name} vocabulary in '{folder}' is not the one that the run was begun with: words were added, "
                "removed or moved, and every id would mean another word. Put the old file back, or begin another run."
            )
    else:
        tokenizer.learn(
            text.sources() if name == "source" else text.targets(), side.vocabulary_size, side.minimum_count
        )
        folder.mkdir(parents=True, exist_ok=True)
        tokenizer.save_assets(str(folder))
        kept.write_text(f"{tokenizer.vocabulary.fingerprint}\n", encoding="utf-8")
    tell(f"{name.capitalize()} vocabulary: {tokenizer.vocabulary_size:,} entries ({side.language}).")
    return tokenizer


def _encoded(
    title: str,
    text: SentencePairs,
    tokenizers: tuple[Any, Any],
    limits: LengthLimits,
    directory: RunDirectory,
    tell: Callable[[Any], None],
) -> EncodedCorpus:
    corpus, report = EncodedCorpus.build(text, *tokenizers, limits, directory.corpora)
    tell(report.table(title))
    for warning in report.warnings():
        tell(f"Warning: {warning}")
    return corpus


def _likelihood(network: Any, corpus: EncodedCorpus) -> LikelihoodValidation:
    import tensorflow as tf

    batches = list(Batches(corpus, batch_size=VALIDATION_BATCH, order=InOrder()).epoch(0))
    return LikelihoodValidation(tf.distribute.get_strategy(), network, batches)


def _bleu(translator: Translator, sources: list[str], references: list[str]) -> Callable[[], Mapping[str, float]]:
    """Greedy translations of the validation text, against its target side as it was written."""
    return lambda: {"bleu": bleu_detokenized(translator.translate(sources, beam_size=1), references).value}


def _first_of_each_length(sources: Sequence[str]) -> list[int]:
    """Some sentences to look at, from short to long: the first of each length that has one."""
    first: dict[int, int] = {}
    for number, source in enumerate(sources):
        first.setdefault(len(source.split()), number)
    return [first[length] for length in SHOWN_LENGTHS if length in first]


def _budget(training: Training) -> Budget:
    limits = {"epochs": training.epochs, "steps": training.steps, "minutes": training.minutes}
    return Budget(**{name: math.inf if limit is None else limit for name, limit in limits.items()})


def _save(translator: Translator, directory: RunDirectory) -> None:
    """The file is whole or not there: it is written aside and moved."""
    aside = directory.translator.with_stem("translator.new")
    translator.save(aside)
    os.replace(aside, directory.translator)
