"""A run that trains one network for one target language."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

from tfnmt.corpora.batches import Batches
from tfnmt.decoding.translator import Translator
from tfnmt.layers.sampled_softmax_output import SampledSoftmaxOutput
from tfnmt.training.criterion import Criterion
from tfnmt.training.sampled_vocabulary import follower
from tfnmt.training.stream import TrainingBatch
from tfnmt.training.validation import ChiefValidation
from tfnmt.zoo import builder, translators
from tfnmt.zoo.pairs import pairs
from tfnmt.zoo.preparation import HeldOut, Preparation, Run, is_of_one_network
from tfnmt.zoo.recipe import Recipe


def prepare(run: Run) -> Preparation:
    """Vocabularies, encoded text, the network and its translator; with a starting model, its own of them.

    Raises:
        UserError: the corpus or the vocabularies do not fit; nothing was overwritten.
    """
    recipe = run.recipe
    start = _of_one_network(run.start(), recipe)
    with run.chief_first():
        text = pairs(recipe, "train")
        if start is not None:
            tokenizers = (start.source_tokenizer, start.target_tokenizer)
        elif recipe.joint_vocabulary:
            of_both = [
                run.tokenizer("joint", side, chain(text.sources(), text.targets()))
                for side in (recipe.source, recipe.target)
            ]
            tokenizers = (of_both[0], of_both[1])
        else:
            tokenizers = (
                run.tokenizer("source", recipe.source, text.sources()),
                run.tokenizer("target", recipe.target, text.targets()),
            )
        corpus, held_out_corpus = run.corpora(recipe, tokenizers)
    if start is not None:
        network = start.network
        _resample(run, network.output_layer)
    else:
        with run.making_layers():
            network = builder.network(recipe, *(tokenizer.vocabulary_size for tokenizer in tokenizers))
            network.build()
    translator = builder.translator(recipe, *tokenizers, network)
    if start is not None and start.lexicon is not None:
        translator = builder.given_a_lexicon(translator, start.lexicon, recipe.decoding)
    network.fix_word_vectors(recipe.training.fix_word_vectors)
    held_out = HeldOut(recipe, translator)
    batches = run.batches(corpus)
    return Preparation(
        network,
        translator,
        batches,
        [run.likelihood(network, held_out_corpus), ChiefValidation(run.members, "bleu", held_out.bleu)],
        Criterion("bleu", larger_is_better=True, patience=recipe.training.patience),
        held_out.samples(),
        corpus.where,
        _follower(network.output_layer, batches),
    )


def _of_one_network(start: Any, recipe: Recipe) -> Translator | None:
    """A starting model whose network can be trained on.

    Raises:
        UserError: it is another.
    """
    if start is None or is_of_one_network(start):
        return start
    raise translators.not_of_one_network(recipe)


def _resample(run: Run, output: Any) -> None:
    """A starting model's sampled output takes the words of its samples from this run's recipe."""
    sampling = getattr(getattr(run.recipe.model, "output", None), "sampling", None)
    if isinstance(output, SampledSoftmaxOutput) and sampling is not None:
        with run.strategy.scope():
            output.resample(builder.build(sampling))


def _follower(output: Any, batches: Batches) -> Callable[[TrainingBatch], None] | None:
    """What tells a sampled output where training stands."""
    if not isinstance(output, SampledSoftmaxOutput):
        return None
    return follower(output.sampling, batches, output.vocabulary_size)
