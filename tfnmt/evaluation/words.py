"""Weights between the pieces that a model reads, as weights between the words of a text that others have split.

Gold links count the words of text that somebody tokenized; a model may cut these words further.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from tfnmt.errors import UserError

if TYPE_CHECKING:
    from tfnmt.decoding.alignment import Alignment
    from tfnmt.decoding.translator import Translator

_BLANKS = dict.fromkeys(map(ord, " \N{LOWER ONE EIGHTH BLOCK}"))  # the latter is SentencePiece's


def word_numbers(pieces: Sequence[str], words: Sequence[str], where: str = "") -> list[int]:
    """The word that each piece lies in: the one that holds its first character.

    Args:
        pieces: what a tokenizer made of a sentence; blanks, SentencePiece's signs for them and case count for nothing.
        words: the words of the same sentence in the same spelling.
        where: what to name in an error.

    Raises:
        UserError: pieces and words are not made of the same characters.
    """
    homes = [number for number, word in enumerate(words) for _ in _bare(word)]
    bare = [_bare(piece) for piece in pieces]
    if "".join(bare) != _bare("".join(words)):
        raise UserError(
            f"{where + ': ' if where else ''}the model reads '{' '.join(pieces)}' where the words are "
            f"'{' '.join(words)}'; links between words cannot be told."
        )
    numbers, place = [], 0
    for piece in bare:
        numbers.append(homes[min(place, len(homes) - 1)] if homes else 0)
        place += len(piece)
    return numbers


def _bare(text: str) -> str:
    return text.translate(_BLANKS).casefold()


def between_words(
    weights: ArrayLike, source: Sequence[int], target: Sequence[int], source_words: int, target_words: int
) -> np.ndarray:
    """Weights of words: what a word's pieces receive is added up, what they give is averaged.

    Args:
        weights: `[target pieces, source pieces]`.
        source: the word of each source piece.
        target: the word of each target piece.
        source_words: how many words the source has.
        target_words: how many words the target has.

    Returns:
        float32 `[target words, source words]`; 0 for a target word that no piece begins in.
    """
    sums = np.zeros([target_words, source_words], np.float32)
    np.add.at(sums, np.ix_(target, source), np.asarray(weights, np.float32))
    pieces = np.bincount(np.asarray(target, np.int64), minlength=target_words)
    return sums / np.maximum(pieces, 1)[:, np.newaxis]


def align_words(translator: Translator, sources: Sequence[str], targets: Sequence[str]) -> Iterator[Alignment]:
    """The alignments of given pairs by forced decoding, between the words that stand between blanks.

    Args:
        translator: reads both sides with its own tokenizers, which may cut words further.
        sources: tokenized sentences.
        targets: a tokenized translation of each.

    Raises:
        UserError: a tokenizer changes the characters of a sentence; the number of pairs differs.
    """
    from tfnmt.decoding.alignment import Alignment

    pieces = translator.align(sources, targets)
    tokenizers = (translator.source_tokenizer, translator.target_tokenizer)
    for number, (*sentences, alignment) in enumerate(zip(sources, targets, pieces, strict=True), 1):
        sides = []
        for tokenizer, sentence, tokens in zip(
            tokenizers, sentences, (alignment.source_tokens, alignment.target_tokens), strict=True
        ):
            words = sentence.split()
            spelling = [word.decode() for word in tokenizer.clean(words).numpy()] if words else []
            sides.append((tuple(words), word_numbers(tokens, spelling, f"Sentence {number}")))
        (source, source_homes), (target, target_homes) = sides
        weights = between_words(alignment.weights, source_homes, target_homes, len(source), len(target))
        yield Alignment(source, target, weights)
