"""A run that trains one encoder with a decoder for each of several target languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from statistics import fmean
from typing import Any

from tfnmt.corpora.alternating_batches import AlternatingBatches
from tfnmt.decoding.multi_task_translator import MultiTaskTranslator
from tfnmt.errors import UserError
from tfnmt.models.multi_task_network import MultiTaskNetwork
from tfnmt.training.criterion import Criterion
from tfnmt.training.samples import Sample
from tfnmt.training.validation import ChiefValidation
from tfnmt.zoo import builder, shelf
from tfnmt.zoo.pairs import pairs
from tfnmt.zoo.preparation import HeldOut, Preparation, Run, is_of_one_network, named


def prepare(run: Run) -> Preparation:
    """Vocabularies, encoded text of each task, the network and its translator.

    With a starting model the tasks that it has are kept as they are and not trained: see `MultiTaskNetwork.with_tasks`.

    Raises:
        UserError: the corpora or the vocabularies do not fit, or the starting model has all the tasks already.
    """
    recipe = run.recipe
    start = _several(run.start())
    known = start.languages if start else ()
    tasks = {language: recipe.task(language) for language in recipe.languages if language not in known}
    if not tasks:
        raise UserError(
            f"The starting model '{recipe.start}' translates into {', '.join(known)} already: there is nothing to add. "
            "Name another language by --languages."
        )
    texts = {language: pairs(task, "train") for language, task in tasks.items()}
    with run.chief_first():
        if start:
            source_tokenizer = start.source_tokenizer
        else:
            sources = chain.from_iterable(text.sources() for text in texts.values())
            source_tokenizer = run.tokenizer("source", recipe.source, sources)
        own = {
            language: run.tokenizer(f"target-{language}", task.target, texts[language].targets())
            for language, task in tasks.items()
        }
        corpora = {language: run.corpora(task, (source_tokenizer, own[language])) for language, task in tasks.items()}
    with run.making_layers():
        networks = {
            language: builder.network(task, source_tokenizer.vocabulary_size, own[language].vocabulary_size)
            for language, task in tasks.items()
        }
        network = start.network.with_tasks(networks) if start else MultiTaskNetwork(networks)
        network.build()
    translator = _translator(recipe, source_tokenizer, start, own, network)
    batches = AlternatingBatches(
        {language: run.batches(corpus) for language, (corpus, _) in corpora.items()}, recipe.corpus.consecutive or 1
    )
    held_out = {language: HeldOut(task, translator.task(language)) for language, task in tasks.items()}
    likelihoods = [
        named(run.likelihood(network.task(language), corpus), language) for language, (_, corpus) in corpora.items()
    ]
    scores = [ChiefValidation(run.members, f"bleu {language}", held_out[language].bleu) for language in tasks]
    shown = [part.samples() for part in held_out.values()]

    def all_samples() -> Sequence[Sample]:
        return [sample for samples in shown for sample in samples()]

    return Preparation(
        network,
        translator,
        batches,
        [*likelihoods, _with_mean(scores)],
        Criterion("bleu", larger_is_better=True, patience=recipe.training.patience),
        all_samples,
        batches.where,
    )


def _several(start: Any) -> MultiTaskTranslator | None:
    """A starting model as one of several languages, whatever it is.

    Raises:
        UserError: it is no translator by one network.
    """
    if start is None or isinstance(start, MultiTaskTranslator):
        return start
    if not is_of_one_network(start):
        raise UserError("A language can be added to a translator of one network only, not to one of several together.")
    (language,) = shelf.loads(start.recipe).languages
    network = MultiTaskNetwork({language: start.network})
    lexicons = {language: start.lexicon} if start.lexicon is not None else {}
    return MultiTaskTranslator(
        start.source_tokenizer, {language: start.target_tokenizer}, network, start.search, lexicons
    )


def _translator(
    recipe: Any, source_tokenizer: Any, start: MultiTaskTranslator | None, own: Mapping[str, Any], network: Any
) -> MultiTaskTranslator:
    rule = recipe.decoding.unknown_rule
    return MultiTaskTranslator(
        source_tokenizer,
        {**(start.target_tokenizers if start else {}), **own},
        network,
        builder.build(recipe.decoding.search),
        start.lexicons if start else None,
        replace_unknown=recipe.decoding.replace_unknown,
        beam_size=recipe.decoding.beam_size,
        recipe=shelf.dumps(recipe),
        unknown_rule=None if rule is None else builder.build(rule),
    )


def _with_mean(scores: Sequence[ChiefValidation]) -> Any:
    """The BLEU of each language, and their mean, by which a run is judged."""

    def measured() -> dict[str, float]:
        results = {name: value for score in scores for name, value in score().items()}
        return {**results, "bleu": fmean(results.values())}

    return measured
