"""What a user can hand in, as Hypothesis draws it: mostly the right form with something wrong in it."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

from tfnmt.zoo import main, shelf

WORDS = st.text(st.characters(codec="utf-8"), max_size=12)
ODD = st.sampled_from(
    ["\x00", "\ufeff", "\u2028", "\u200b", "\r", "\t", "<unk>", "<s>", "\\u0020", "\\", "ß", "🙂", " "]
)
LINE = st.lists(st.one_of(WORDS, ODD), max_size=8).map("".join)


def lines(line: st.SearchStrategy[str] = LINE, most: int = 12) -> st.SearchStrategy[bytes]:
    """A text file, its lines ended in any way, or bytes that are none."""
    ends = st.sampled_from(["\n", "\r\n", "\r"])
    text = st.builds(lambda rows, end: end.join(rows).encode(), st.lists(line, max_size=most), ends)
    return st.one_of(text, text.map(lambda content: content + b"\n"), st.binary(max_size=200), damaged(text))


@st.composite
def damaged(draw: Callable[..., bytes], content: st.SearchStrategy[bytes]) -> bytes:
    """Content of which some bytes were lost, doubled or changed."""
    data = bytearray(draw(content))
    for _ in range(draw(st.integers(1, 4))):
        if data:
            place = draw(st.integers(0, len(data) - 1))
            change = draw(st.sampled_from(["set", "cut", "double", "drop"]))
            if change == "set":
                data[place] = draw(st.integers(0, 255))
            elif change == "cut":
                del data[place:]
            elif change == "double":
                data[place:place] = data[place : place + 8]
            else:
                del data[place]
    return bytes(data)


COMPRESSED: dict[str, Callable[[bytes], bytes]] = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress}


@st.composite
def text_files(draw: Callable[..., bytes]) -> tuple[str, bytes]:
    """The ending of a text file's name and what it holds, whole or damaged."""
    ending = draw(st.sampled_from(sorted(COMPRESSED)))
    content = st.just(COMPRESSED[ending](draw(lines())))  # type: ignore[arg-type]
    return ending, draw(st.one_of(content, damaged(content)))


VOCABULARIES = lines(st.one_of(WORDS.map(lambda word: word.replace("\n", "")), ODD, LINE))
LEXICONS = lines(
    st.lists(st.one_of(WORDS, ODD, st.sampled_from(["0.5", "1e400", "-", "nan"])), max_size=4).map("\t".join)
)
RECIPES = damaged(st.sampled_from([(shelf.directory() / f"{name}.toml").read_bytes() for name in shelf.names()]))

KEYS = st.sampled_from(
    ["model", "model.encoder.units", "training", "training.minutes", "training.optimizer.learning_rate",
     "source.tokenizer",
     "decoding.beam_size", "corpus.batches.kind", "name", "profile", "model.decoder.attention.score", "", ".", "a..b"]
)  # fmt: skip
VALUES = st.one_of(
    st.sampled_from(["1", "-1", "0", "1e999", "nan", "true", "[]", "{}", "{kind='x'}", "[[[[", "'", '"', "=",
                     "9" * 5000]),
    st.integers().map(str), st.floats().map(str), WORDS,
)  # fmt: skip
OVERRIDES = st.one_of(st.builds("{}={}".format, KEYS, VALUES), WORDS)

OPTIONS = ["--set", "--beam-size", "--n-best", "--run", "--data", "--languages", "--profile", "--output", "--help",
           "-h", "--source", "--target", "--lexicon", "--version", "--strategy", "--cpu-devices", "--resume",
           "--"]  # fmt: skip
ARGUMENT = st.one_of(
    st.sampled_from([*OPTIONS, *main.VERBS, "nowhere", "-", "", "en-de", "a.keras", "..", "/dev/null"]),
    VALUES,
    OVERRIDES,
)
COMMAND_LINES = st.builds(
    lambda verb, rest: [verb, *rest], st.sampled_from([*main.VERBS, "trian", ""]), st.lists(ARGUMENT, max_size=6)
)

SENTENCE = st.one_of(
    st.one_of(LINE, st.text(max_size=60)).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.binary(max_size=60),
    st.sampled_from([b"x" * 100_000, b"\xff" * 40, b"a " * 40]),
)
"""As the bytes that a client sends: any, NUL and halves of characters among them, huge words and long sentences.

Each byte that is no text is a word: a sentence of 100,000 of them takes more memory than a machine has.
"""


@st.composite
def requests(draw: Callable[..., Any]) -> tuple[str, dict[str, Any]]:
    """The name of a signature and its inputs; most requests are of the right form."""
    name = draw(st.sampled_from(["serving_default", "n_best", "align", "align_pairs", "score"]))
    sides = ["sources", "targets"] if name in ("align_pairs", "score") else ["sentences"]
    rows = draw(st.integers(0, 3))
    given = {side: np.array(draw(st.lists(SENTENCE, min_size=rows, max_size=rows)), object) for side in sides}
    side, wrong = draw(st.sampled_from(sides)), draw(st.integers(0, 9))
    if wrong == 0:
        given[side] = np.array(draw(st.lists(SENTENCE, max_size=3)), object)  # often another number of rows
    elif wrong == 1:
        given[side] = given[side][draw(st.sampled_from([np.index_exp[np.newaxis], np.index_exp[:, np.newaxis]]))]
    elif wrong == 2:
        given[side] = draw(st.sampled_from([np.zeros(2, np.int32), np.ones(1, np.float32), np.array(b"a", object)]))
    elif wrong == 3:
        del given[side]
    elif wrong == 4:
        given["beam_size"] = np.array([b"4"], object)
    return name, given


REQUESTS = requests()
