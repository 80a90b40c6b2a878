"""One training run from a recipe: what it prepares, the loop, the translator it leaves."""

from __future__ import annotations

import math
import os

import keras

from tfnmt.training.averaging import ExponentialAverage
from tfnmt.training.budget import Budget
from tfnmt.training.lanes import lanes as lanes_of
from tfnmt.training.loss_scale import DynamicLossScale
from tfnmt.training.metrics_log import MetricsLog
from tfnmt.training.normalization import LossNormalization
from tfnmt.training.observer import End
from tfnmt.training.strategies import Strategy
from tfnmt.training.tensorboard import TensorBoardLog
from tfnmt.training.trainer import Intervals, Trainer
from tfnmt.training.writing import writing
from tfnmt.zoo import builder, shelf
from tfnmt.zoo.journal import Journal
from tfnmt.zoo.preparation import Preparation, Run
from tfnmt.zoo.recipe import Recipe, Training
from tfnmt.zoo.run_directory import RunDirectory


def train(recipe: Recipe, directory: RunDirectory, tell: Journal, strategy: Strategy) -> End:
    """Train the model of a recipe until its budget is spent, or go on with the run that the directory holds.

    Args:
        recipe: the effective recipe.
        directory: opened with this recipe.
        tell: takes what a person should know.
        strategy: the devices and workers that share each batch. The chief alone writes.

    Raises:
        UserError: the corpus, the vocabularies, the starting model or the checkpoint do not fit; nothing was
            overwritten.
    """
    training = recipe.training
    keras.utils.set_random_seed(training.seed)
    run = Run(recipe, directory, tell, strategy)
    ready: Preparation = builder.imported(recipe.prepared_by)(run)
    with strategy.scope():
        loss_scale = DynamicLossScale() if training.precision == "mixed_float16" else None
        optimizer = builder.build(training.optimizer, {"steps_per_epoch": ready.batches.count(0)})
    records = [
        MetricsLog(directory.metrics),
        TensorBoardLog(directory.tensorboard, shelf.dumps(recipe), ready.samples),
    ]
    leads = run.members.is_chief
    trainer = Trainer(
        ready.network,
        optimizer,
        ready.batches,
        directory.checkpoints,
        strategy=strategy,
        normalization=LossNormalization(training.normalization),
        clip_norm=training.clip_norm,
        average=ExponentialAverage(training.average_decay) if training.average_decay else None,
        validations=ready.validations,
        criterion=ready.criterion,
        budget=_budget(training),
        intervals=Intervals(training.validation_steps, training.save_steps, training.save_minutes),
        keep=training.keep_checkpoints,
        observers=[*tell.progress(), *records] if leads else [],
        save_best=(lambda: _save(ready.translator, directory)) if leads else None,
        where=ready.where,
        loss_name=recipe.model.loss_name,
        before_step=ready.before_step,
        accumulate=training.accumulate,
        loss_scale=loss_scale,
        lanes=lanes(recipe, strategy.num_replicas_in_sync),
    )
    return trainer.train()


def lanes(recipe: Recipe, replicas: int) -> int:
    """Into how many parts each replica divides its share of a batch, to work on them at the same time."""
    return recipe.training.lanes or lanes_of(recipe.corpus.batches.typical_sentences, replicas)


def _budget(training: Training) -> Budget:
    limits = {"epochs": training.epochs, "steps": training.steps, "minutes": training.minutes}
    return Budget(**{name: math.inf if limit is None else limit for name, limit in limits.items()})


def _save(translator: keras.Model, directory: RunDirectory) -> None:
    """The file is whole or not there: it is written aside and moved."""
    aside = directory.translator.with_stem("translator.new")
    with writing("The translator", directory.translator):
        translator.save(aside)
        os.replace(aside, directory.translator)
