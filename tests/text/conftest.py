"""Tokenizers that have learnt from a few sentences, shared by the tests of this room."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tfnmt.text.character import CharacterTokenizer
from tfnmt.text.subword import SubwordTokenizer
from tfnmt.text.tokenizer import Tokenizer
from tfnmt.text.word import WordTokenizer

SENTENCES = [
    "Mr. Smith didn't see the dog, did he?",
    "The dog sees a man in a boat.",
    "A man sees the boat and the dog.",
    "Two dogs and a man don't see Mr. Smith.",
]

TOKENIZERS = {"word": WordTokenizer, "character": CharacterTokenizer, "subword": SubwordTokenizer}
SIZES = {"word": None, "character": None, "subword": 60}


@pytest.fixture(scope="session", params=TOKENIZERS)
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="session")
def tokenizer(kind: str) -> Tokenizer:
    """Do not change it: the tests of the session share it."""
    tokenizer = TOKENIZERS[kind]()
    tokenizer.learn(SENTENCES, SIZES[kind])
    return tokenizer


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The folder of real corpora, which is no part of the repository."""
    path = Path(os.environ.get("TFNMT_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
    if not path.is_dir():
        pytest.skip(f"no real corpora at {path}; set TFNMT_DATA")
    return path
