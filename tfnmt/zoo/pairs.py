"""From a recipe's `[corpus]` tables to sentence pairs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from tfnmt.errors import UserError
from tfnmt.zoo.recipe import Recipe, Texts

if TYPE_CHECKING:
    from tfnmt.corpora.sentence_pairs import SentencePairs


class TestSet(NamedTuple):
    """A named set of sentences and their references."""

    name: str
    sources: list[str]
    references: list[str]


def has_texts(recipe: Recipe) -> bool:
    """Whether the recipe names text of its own, for any of its tasks; without, it means the built-in corpus."""
    corpora = [recipe.task(language).corpus for language in recipe.languages]
    return any(_named(texts) for corpus in corpora for texts in (corpus.train, corpus.valid, corpus.test))


def pairs(recipe: Recipe, split: str) -> SentencePairs:
    """The pairs of one part of the corpus: `train`, `valid` or `test`.

    Raises:
        UserError: the recipe names other parts but not this one.
    """
    from tfnmt.corpora.builtin import pairs as builtin_pairs
    from tfnmt.corpora.parallel_text import ParallelText

    if not has_texts(recipe):
        if recipe.source.language != "en":
            raise UserError(
                f"The built-in corpus translates from en, not from {recipe.source.language}. Name text by --data."
            )
        return builtin_pairs(split, recipe.target.language)
    texts: Texts = getattr(recipe.corpus, split)
    if not _named(texts):
        raise UserError(
            f"No text is named for '{split}': give --{split}-source and --{split}-target, or corpus.{split}."
        )
    if texts.tsv and texts.source:
        raise UserError(f"corpus.{split} names both tab-separated files and files of one side: give one kind.")
    return ParallelText.from_tsv(texts.tsv) if texts.tsv else ParallelText(texts.source, texts.target)


def test_sets(recipe: Recipe) -> Iterator[TestSet]:
    """Each test set that the recipe names, file by file, or the built-in one."""
    from tfnmt.corpora.parallel_text import ParallelText

    test = recipe.corpus.test
    if not has_texts(recipe):
        yield _test_set("built-in test set", pairs(recipe, "test"))
    elif test.tsv:
        for path in test.tsv:
            yield _test_set(path, ParallelText.from_tsv(path))
    else:
        for source, target in zip(test.source, test.target, strict=True):
            yield _test_set(source, ParallelText(source, target))


def _named(texts: Texts) -> bool:
    return bool(texts.source or texts.target or texts.tsv)


def _test_set(name: str, text: SentencePairs) -> TestSet:
    sources, references = itertools.tee(text)
    return TestSet(name, [pair.source for pair in sources], [pair.target for pair in references])
