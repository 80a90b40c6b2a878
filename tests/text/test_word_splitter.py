from __future__ import annotations

import random

import pytest
import sacremoses
import tensorflow as tf

from tfnmt.text.word import WordTokenizer
from tfnmt.text.word_splitter import LANGUAGES, nonbreaking_prefixes


def split(language: str, *lines: str) -> list[list[str]]:
    rows = WordTokenizer(language, normalization=None).split(tf.constant(lines)).to_list()
    return [[word.decode() for word in row] for row in rows]


# Written out by hand from the Moses rules; the tokens are what stands between blanks.
EXAMPLES = [
    ("en", "Hello, world!", "Hello , world !"),
    ("en", "It doesn't cost $1,234.50, he said.", "It doesn 't cost $ 1,234.50 , he said ."),
    ("en", "The dogs' owner's 1990's car", "The dogs ' owner 's 1990 's car"),
    ("en", "Mr. Smith went to Washington D.C. on No. 5.", "Mr. Smith went to Washington D.C. on No. 5 ."),
    ("en", "No. It ended. And etc. and so on", "No . It ended . And etc. and so on"),
    ("en", "Wait... what?.. Yes.....", "Wait ... what ? .. Yes ....."),
    ("en", "He said 'stop.'", "He said ' stop . '"),
    ("en", "a,b,c 1,2,3 1, 2,x", "a , b , c 1,2,3 1 , 2 , x"),
    ("en", "well-known (e.g. this)", "well-known ( e.g. this )"),
    ("de", "Am 3. Mai kam z.B. Dr. Müller, usw.", "Am 3. Mai kam z.B. Dr. Müller , usw."),
    ("de", "„Das ist's“, sagte er.", "„ Das ist ' s “ , sagte er ."),
    ("fr", "L'homme qu'il a vu, c'est M. Dupont.", "L' homme qu' il a vu , c' est M. Dupont ."),
    ("fr", "aujourd'hui : « oui »", "aujourd' hui : « oui »"),
    ("cs", "Ing. Novák přišel např. v roce 2008, č. 5.", "Ing. Novák přišel např. v roce 2008 , č. 5 ."),
    ("cs", "je-li to např. pes", "je-li to např. pes"),
]


@pytest.mark.parametrize(("language", "text", "tokens"), EXAMPLES)
def test_worked_examples(language: str, text: str, tokens: str):
    assert split(language, text) == [tokens.split(" ")]


@pytest.mark.parametrize(("language", "text", "tokens"), EXAMPLES)
def test_the_worked_examples_are_sacremoses(language: str, text: str, tokens: str):
    assert sacremoses.MosesTokenizer(language).tokenize(text, escape=False) == tokens.split(" ")


PIECES = [
    *(
        "ab",
        "Axb",
        "12",
        "7",
        ".",
        ".",
        ".",
        ",",
        ",",
        "'",
        "'",
        '"',
        "-",
        "?",
        "(",
        ")",
        "&",
        "é",
        "„",
        "“",
        "\u2019",
        "%",
    ),
    *(
        " ",
        " ",
        " ",
        " ",
        "\t",
        "\u00a0",
        "$",
        "s",
        "`",
        "...",
        "..",
        "<",
        "]",
        "@",
        "ll",
        "Mr",
        "€",
        "中文",
        "\u2013",
        "²",
    ),
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_any_mixture_of_signs_is_split_as_by_sacremoses(language: str):
    chance = random.Random(3)
    lines = ["".join(chance.choices(PIECES, k=chance.randint(1, 14))) for _ in range(2000)]
    splitter = sacremoses.MosesTokenizer(language)
    assert split(language, *lines) == [splitter.tokenize(line, escape=False) for line in lines]


@pytest.mark.parametrize("language", LANGUAGES)
def test_prefixes_are_written_without_their_full_stop(language: str):
    prefixes = nonbreaking_prefixes(language)
    assert len(prefixes) > 50
    assert not any(prefix.endswith(".") or "[" in prefix or "#" in prefix for prefix in prefixes)
    assert split(
        language, *(f"x {prefix}. X" for prefix in prefixes if prefix not in ("No", "Nos", "Art", "Nr", "pp"))
    ) == [["x", f"{prefix}.", "X"] for prefix in prefixes if prefix not in ("No", "Nos", "Art", "Nr", "pp")]
