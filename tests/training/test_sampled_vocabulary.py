"""The words of a sampled loss follow the place in the corpus, also of a run that is resumed in the middle of a part."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
import tensorflow as tf

from tests.training.test_trainer import Recorder, assert_same, trainer
from tfnmt.corpora.batches import Batches
from tfnmt.corpora.encoded_corpus import EncodedCorpus, LengthLimits
from tfnmt.corpora.order import ShuffledOnce
from tfnmt.corpora.sentence_pairs import PairList
from tfnmt.layers.sampled_softmax_output import SampledSoftmaxOutput
from tfnmt.layers.sampling import LogUniformSampling, PartitionSampling, Sampling, UnigramSampling
from tfnmt.models.sequences import append_end
from tfnmt.text.vocabulary import END, Vocabulary
from tfnmt.text.word import WordTokenizer
from tfnmt.training.budget import Budget
from tfnmt.training.sampled_vocabulary import follower, word_counts
from tfnmt.training.trainer import Trainer

SIZE = 104


class SampledNetwork(keras.Model):
    """Predicts each target word from the source word at its place, through a sampled output."""

    def __init__(self, sampling: Sampling) -> None:
        super().__init__()
        initializer = keras.initializers.RandomUniform(seed=7)
        self.embedding = keras.layers.Embedding(SIZE, 6, embeddings_initializer=initializer)
        self.output_layer = SampledSoftmaxOutput(SIZE, sampling, kernel_initializer=initializer)

    def call(self, inputs: tuple[Any, Any]) -> tf.Tensor:
        return self.output_layer(self.embedding(append_end(inputs[0])))

    def token_losses(self, source_ids: Any, target_ids: Any, training: bool) -> tf.Tensor:
        labels = append_end(target_ids)
        features = tf.boolean_mask(self.embedding(append_end(source_ids)), labels > 0)
        return self.output_layer.loss(features, tf.boolean_mask(labels, labels > 0))


@pytest.fixture(scope="module")
def batches(tmp_path_factory: pytest.TempPathFactory) -> Batches:
    random, words = np.random.default_rng(4), WordTokenizer()
    words.use(Vocabulary(f"w{number}" for number in range(SIZE - 4)))
    sentences = [
        " ".join(f"w{number}" for number in random.integers(0, SIZE - 4, length))
        for length in random.integers(1, 5, 40)
    ]
    pairs = PairList([(sentence, sentence) for sentence in sentences])
    corpus, _ = EncodedCorpus.build(pairs, words, words, LengthLimits(), tmp_path_factory.mktemp("corpora"))
    return Batches(corpus, batch_size=4, fetch=2, order=ShuffledOnce(3))


def run(directory: Path, batches: Batches, sampling: Sampling, **options: Any) -> Trainer:
    network = SampledNetwork(sampling)
    network((np.full([1, 1], 4, np.int32),) * 2)
    follow = follower(sampling, batches, SIZE)
    made = trainer(directory, network=network, batches=batches, before_step=follow, loss_name="sampled loss", **options)
    made.train()
    return made


@pytest.mark.parametrize("make", [lambda: PartitionSampling(30), lambda: UnigramSampling(20, seed=2)])
def test_a_run_stopped_in_the_middle_of_a_part_ends_as_if_never_stopped(
    tmp_path: Path, batches: Batches, make: Any
) -> None:
    whole = run(tmp_path / "whole", batches, make(), budget=Budget(epochs=2))
    for step in (4, 13):
        run(tmp_path / "parts", batches, make(), budget=Budget(epochs=2), observers=[Recorder(interrupt_after=step)])
    stopped = run(tmp_path / "parts", batches, make(), budget=Budget(epochs=2))
    assert stopped.state.step == whole.state.step == 20
    assert_same(whole, stopped)


def test_each_batch_is_trained_on_within_its_part(tmp_path: Path, batches: Batches) -> None:
    sampling, parts = PartitionSampling(30), []

    class Watcher(Recorder):
        def stepped(self, report: Any) -> None:
            parts.append(set(sampling.sample().ids.numpy().tolist()))

    run(tmp_path, batches, sampling, budget=Budget(epochs=1), observers=[Watcher()])
    for part, batch in zip(parts, batches.epoch(0), strict=True):
        assert set(batch.target_ids[batch.target_ids > 0].tolist()) <= part
        assert len(part) <= 30
    assert len({frozenset(part) for part in parts}) > 2


def test_words_are_counted_as_labels(batches: Batches) -> None:
    counts = word_counts(batches.corpus, SIZE)
    assert counts.sum() == batches.corpus.target.tokens + 40
    assert counts[END] == 40
    expected = np.zeros(SIZE, np.int64)
    for batch in batches.epoch(0):
        np.add.at(expected, batch.target_ids[batch.target_ids > 0], 1)
    np.testing.assert_array_equal(counts[3:], expected[3:])


def test_an_unknown_strategy_is_refused(batches: Batches) -> None:
    with pytest.raises(TypeError, match="Sampling"):
        follower(Sampling(), batches, SIZE)
    assert follower(LogUniformSampling(), batches, SIZE) is not None
