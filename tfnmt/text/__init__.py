"""Raw strings <-> token ids, inside the graph: vocabularies, tokenizers, lexicons."""

import keras  # noqa: F401  (first: its import registers every class of the package, see tfnmt/__init__.py)

from tfnmt.text.character import CharacterTokenizer
from tfnmt.text.lexicon import Lexicon, WordTranslation
from tfnmt.text.subword import SubwordTokenizer
from tfnmt.text.tokenizer import Tokenizer
from tfnmt.text.translation_counts import TranslationCounts
from tfnmt.text.unknown_words import AnyWord, LowerCaseWord
from tfnmt.text.vocabulary import END, PAD, START, UNKNOWN, Vocabulary
from tfnmt.text.word import WordTokenizer

__all__ = [
    "END",
    "PAD",
    "START",
    "UNKNOWN",
    "AnyWord",
    "CharacterTokenizer",
    "Lexicon",
    "LowerCaseWord",
    "SubwordTokenizer",
    "Tokenizer",
    "TranslationCounts",
    "Vocabulary",
    "WordTokenizer",
    "WordTranslation",
]
