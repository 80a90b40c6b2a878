"""Several translators as one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import keras

from tfnmt.decoding.candidate_list import CandidateList
from tfnmt.decoding.translator import Translator
from tfnmt.decoding.value_guided_search import ValueGuidedSearch
from tfnmt.errors import UserError
from tfnmt.models.combination import Combination, MeanOfLogits
from tfnmt.models.ensemble import Ensemble
from tfnmt.models.value_network import ValueNetwork
from tfnmt.text.tokenizer import Tokenizer


def ensemble(translators: Sequence[Translator], combination: Combination | None = None) -> Translator:
    """One translator whose network is the ensemble of the given translators' networks.

        both = ensemble([first, second], MeanOfProbabilities())
        both.translate(["A man sleeps."])
        both.save("both.keras")

    The tokenizers, the search, the beam, the lexicon and what becomes of unknown words are those of the first. Where
    all have candidate lists, a word is a candidate that is one for any of them, and all vote on it.

    Args:
        translators: they read and write the same ids: their tokenizers split alike and have the same vocabularies, as
            runs on the same training text with the same tokenizers do.
        combination: how the networks' opinions become one; `MeanOfLogits()` by default.

    Raises:
        UserError: there is no translator, their tokenizers differ, or the first searches by a value network.
    """
    if not translators:
        raise UserError("An ensemble needs at least one translator.")
    first = translators[0]
    if isinstance(first.search, ValueGuidedSearch):
        raise UserError(
            "Translator 1, which gives the search, searches by a value network, and an ensemble has none: put a "
            "translator with plain beam search first."
        )
    for number, other in enumerate(translators[1:], start=2):
        for side in ("source", "target"):
            name = f"{side}_tokenizer"
            if difference := _difference(getattr(first, name), getattr(other, name)):
                raise UserError(
                    f"Translator {number} of the ensemble has another {side} side than translator 1: {difference}. "
                    "Translators that vote on words must mean the same words: train them on the same text with the "
                    "same tokenizers."
                )
    combination = combination or MeanOfLogits()
    return Translator(
        first.source_tokenizer,
        first.target_tokenizer,
        Ensemble([_voter(translator.network) for translator in translators], combination),
        first.search,
        lexicon=first.lexicon,
        replace_unknown=first.replace_unknown,
        beam_size=first.beam_size,
        recipe=_recipe(translators, combination),
        unknown_rule=first.unknown_rule,
        candidates=_candidates(translators),
    )


def _voter(network: keras.Model) -> keras.Model:
    """What of a network gives probabilities of words: a value is none."""
    return network.policy if isinstance(network, ValueNetwork) else network


def _candidates(translators: Sequence[Translator]) -> CandidateList | None:
    """The words of any of their lists; all words as soon as one of them has no list."""
    lists = [translator.candidates for translator in translators if translator.candidates is not None]
    return CandidateList.union(lists) if len(lists) == len(translators) else None


def _difference(one: Tokenizer, other: Tokenizer) -> str:
    """What makes two tokenizers write different ids, in words; empty if nothing does."""
    if type(one) is not type(other):
        return f"a {type(other).__name__} instead of a {type(one).__name__}"
    options, other_options = _options(one), _options(other)
    changed = [key for key in options if options[key] != other_options[key]]
    if changed:
        return ", ".join(f"{key} is {other_options[key]!r} instead of {options[key]!r}" for key in changed)
    if one.vocabulary.fingerprint != other.vocabulary.fingerprint:
        return f"its vocabulary of {other.vocabulary_size:,} is not the same list as the {one.vocabulary_size:,} there"
    return ""


def _options(tokenizer: Tokenizer) -> dict[str, Any]:
    return {key: value for key, value in tokenizer.get_config().items() if key not in ("name", "dtype", "trainable")}


def _recipe(translators: Sequence[Translator], combination: Combination) -> str:
    """The recipe of the first, which a program can read, and for people those of the others as comments below it."""
    others = [
        f"Member {number} of {len(translators)}:\n\n{translator.recipe}"
        for number, translator in enumerate(translators[1:], start=2)
    ]
    note = f"An ensemble by {type(combination).__name__}; above is the recipe of member 1 of {len(translators)}."
    comments = "\n".join([note, *others]).splitlines()
    return translators[0].recipe + "\n" + "".join(f"# {line}".rstrip() + "\n" for line in comments)
