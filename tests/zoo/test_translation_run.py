"""What a run of one network makes ready."""

from __future__ import annotations

import tensorflow as tf

from tests.copy_run import CopyRun
from tfnmt.zoo import shelf, translation_run
from tfnmt.zoo.journal import Silence
from tfnmt.zoo.preparation import Run
from tfnmt.zoo.run_directory import RunDirectory


def test_a_run_finds_what_it_made_ready_before(copy_run: CopyRun) -> None:
    directory = RunDirectory(copy_run.directory)
    recipe = shelf.load(str(directory.recipe_file))
    ready = translation_run.prepare(Run(recipe, directory, Silence(), tf.distribute.get_strategy()))
    assert ready.translator.network is ready.network
    assert ready.network.encoder.vocabulary_size == ready.network.decoder.vocabulary_size == 24
    assert (ready.batches.count(0), ready.criterion.metric) == (4, "bleu")
    assert ready.where(0) == f"{copy_run.data / 'train.en'}:1"
