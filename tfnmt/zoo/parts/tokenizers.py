"""Tokenizers: `[source.tokenizer]` and `[target.tokenizer]`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from tfnmt.zoo.table import Part

Normalization = Literal["NFC", "NFKC"]


class Tokenizer(Part):
    """From text to tokens and back."""

    lowercase: bool = False
    """Lower-case the text first; such a model writes lower case."""
    normalization: Normalization | None = "NFC"
    """Unicode normalisation applied first."""


class WordTokenizer(Tokenizer):
    """The rules of the Moses tokenizer."""

    builds = "tfnmt.text.word:WordTokenizer"
    given: ClassVar[Mapping[str, str]] = {"language": "language"}
    kind: Literal["word"] = "word"


class CharacterTokenizer(Tokenizer):
    """One token a character."""

    builds = "tfnmt.text.character:CharacterTokenizer"
    kind: Literal["character"] = "character"


class SubwordTokenizer(Tokenizer):
    """SentencePiece."""

    builds = "tfnmt.text.subword:SubwordTokenizer"
    kind: Literal["subword"] = "subword"
    algorithm: Literal["bpe", "unigram"] = "bpe"
