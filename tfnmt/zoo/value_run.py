"""A run that trains a value network over a trained RNNsearch."""

from __future__ import annotations

from itertools import islice
from typing import Any

from tfnmt.corpora.batches import Batches
from tfnmt.corpora.order import InOrder
from tfnmt.errors import UserError
from tfnmt.models.bahdanau_decoder import BahdanauDecoder
from tfnmt.training.criterion import Criterion
from tfnmt.training.prefix_pairs import PrefixPairs
from tfnmt.training.ranking_validation import RankingValidation
from tfnmt.training.validation import ChiefValidation
from tfnmt.zoo import builder
from tfnmt.zoo.preparation import VALIDATION_BATCH, HeldOut, Preparation, Run, is_of_one_network
from tfnmt.zoo.recipe import Rollouts


def prepare(run: Run) -> Preparation:
    """The policy that the recipe starts from, and pairs of prefixes from its own beam.

    Raises:
        UserError: there is no policy, or one whose states a value network cannot read.
    """
    recipe, start = run.recipe, run.start()
    if start is None:
        raise UserError(
            f"{recipe.name} judges a trained RNNsearch: name its run by --start. Without one, train it first: "
            "tfnmt train rnnsearch50"
        )
    if not _is_rnnsearch(start):
        raise UserError(
            f"A value network is trained over one RNNsearch; '{recipe.start}' is none. Name the run of another model "
            "by --start, such as one of `tfnmt train rnnsearch50`."
        )
    with run.chief_first():
        tokenizers = (start.source_tokenizer, start.target_tokenizer)
        corpus, held_out_corpus = run.corpora(recipe, tokenizers)
    with run.making_layers():
        network = builder.build(recipe.model, {"policy": start.network})
        network.build()
    translator = builder.translator(recipe, *tokenizers, network)
    held_out = HeldOut(recipe, translator)

    rollouts = recipe.training.rollouts or Rollouts()

    def prefixes(batches: Batches) -> PrefixPairs:
        beam, completions = rollouts.beam_size, rollouts.completions
        return PrefixPairs(start.network, batches, start.search, beam, completions, recipe.training.seed)

    held_out_batches = Batches(held_out_corpus, batch_size=VALIDATION_BATCH, order=InOrder())
    judged = list(islice(prefixes(held_out_batches).epoch(0), rollouts.validation_batches))
    size = recipe.decoding.beam_size
    return Preparation(
        network,
        translator,
        prefixes(run.batches(corpus)),
        [
            RankingValidation(network, judged),
            ChiefValidation(run.members, "bleu", lambda: held_out.bleu(size)),
        ],
        Criterion("ranking loss", patience=recipe.training.patience),
        held_out.samples(),
        corpus.where,
    )


def _is_rnnsearch(start: Any) -> bool:
    return is_of_one_network(start) and isinstance(start.network.decoder, BahdanauDecoder)
