"""A table of probabilities in the place of a network, and plain Python searches over the same table."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
import tensorflow as tf

from tfnmt.models.memory import Memory
from tfnmt.text.vocabulary import END, START

FIRST_WORD = 4


class Hypothesis(NamedTuple):
    """What the plain searches return."""

    score: float
    log_probability: float
    words: tuple[int, ...]
    ended: bool = True


class TableDecoder:
    """Follows the contract of a decoder; its state is the number of the prefix, its features are the row of the table.

    The first word of a source sentence says which of several tables is meant.
    """

    max_target_length = None
    alignment_shift = 0

    def __init__(self, log_probabilities: np.ndarray, energies: np.ndarray) -> None:
        self.log_probabilities = log_probabilities.astype(np.float32)
        self.energies = energies.astype(np.float32)
        self.prefixes, self.vocabulary_size = log_probabilities.shape[1:]

    def initial_state(self, memory: Memory, hypotheses: int = 1) -> dict[str, tf.Tensor]:
        return {"prefix": tf.zeros([tf.shape(memory.words)[0] * hypotheses], tf.int32)}

    def step(
        self, ids: tf.Tensor, state: dict[str, tf.Tensor], memory: Memory
    ) -> tuple[tf.Tensor, dict[str, tf.Tensor], tf.Tensor]:
        tf.debugging.assert_less(ids, self.vocabulary_size)  # as an embedding would
        follows = (state["prefix"] * self.vocabulary_size + ids + 1) % self.prefixes
        prefix = tf.where(ids == START, 0, follows)
        hypotheses = tf.shape(ids)[0] // tf.shape(memory.words)[0]
        tables = tf.repeat(memory.summary, hypotheses)
        mask = tf.repeat(memory.mask, hypotheses, axis=0)
        energies = tf.gather(self.energies, prefix)[:, : tf.shape(mask)[1]]
        weights = tf.nn.softmax(tf.where(mask, energies, -1e9))
        rows = tf.gather_nd(self.log_probabilities, tf.stack([tables, prefix], axis=1))
        return rows, {"prefix": prefix}, weights


class TableOutput:
    def logits(self, features: tf.Tensor) -> tf.Tensor:
        return features

    def log_normalizers(self, logits: tf.Tensor) -> tf.Tensor:
        return tf.reduce_logsumexp(logits, axis=-1)


class TableNetwork:
    """What a search needs of a network, over tables `[tables, prefixes, vocabulary]`."""

    def __init__(self, log_probabilities: np.ndarray, energies: np.ndarray | None = None) -> None:
        if energies is None:
            energies = np.zeros([log_probabilities.shape[1], 50])
        self.decoder = TableDecoder(log_probabilities, energies)
        self.output_layer = TableOutput()

    @classmethod
    def random(
        cls, seed: int, words: int, tables: int = 1, prefixes: int = 499, sharpness: float = 1.5
    ) -> TableNetwork:
        """Random tables over a vocabulary of some words and the control symbols."""
        random = np.random.default_rng(seed)
        logits = random.normal(size=[tables, prefixes, FIRST_WORD + words]) * sharpness
        log_probabilities = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
        return cls(log_probabilities, random.normal(size=[prefixes, 50]))

    def encode(self, source_ids: tf.Tensor) -> Memory:
        mask = source_ids != 0
        return Memory(
            annotations=tf.cast(source_ids, tf.float32)[:, :, tf.newaxis],
            mask=mask,
            summary=tf.maximum(tf.reduce_max(source_ids[:, :1], axis=1), FIRST_WORD) - FIRST_WORD,
            words=tf.reduce_sum(tf.cast(mask, tf.int32), axis=1),
        )

    def prefix(self, words: tuple[int, ...]) -> int:
        number = 0
        for word in words:
            number = (number * self.decoder.vocabulary_size + word + 1) % self.decoder.prefixes
        return number

    def row(self, words: tuple[int, ...], table: int = 0) -> np.ndarray:
        """Log-probabilities of the symbol after some words."""
        return self.decoder.log_probabilities[table, self.prefix(words)]

    def weights(self, words: tuple[int, ...], source: int) -> np.ndarray:
        """Attention weights of the step after some words, over a source without padding."""
        weights = np.exp(self.decoder.energies[self.prefix(words), :source])
        return weights / weights.sum()

    def log_probability(self, words: tuple[int, ...], table: int = 0, ended: bool = True) -> float:
        symbols = (*words, END) if ended else words
        return float(sum(self.row(words[:place], table)[symbol] for place, symbol in enumerate(symbols)))

    def vocabulary(self) -> range:
        return range(FIRST_WORD, self.decoder.vocabulary_size)


def all_hypotheses(
    network: TableNetwork, longest: int, exponent: float, table: int = 0, words: range | None = None, shortest: int = 0
) -> list[Hypothesis]:
    """Every finished hypothesis up to a length, best first."""
    found = []
    for length in range(shortest, longest + 1):
        for sequence in itertools.product(words or network.vocabulary(), repeat=length):
            log_probability = network.log_probability(sequence, table)
            found.append(Hypothesis(log_probability / (length + 1) ** exponent, log_probability, sequence))
    return sorted(found, reverse=True)


def greedy(network: TableNetwork, longest: int, exponent: float, table: int = 0) -> Hypothesis:
    """The likeliest symbol at each step."""
    allowed = [END, 3, *network.vocabulary()]
    words: tuple[int, ...] = ()
    while True:
        row = network.row(words, table)
        best = max(allowed, key=lambda symbol: row[symbol])
        if best == END or len(words) == longest:
            ended = best == END
            log_probability = network.log_probability(words, table, ended)
            return Hypothesis(log_probability / max(len(words) + ended, 1) ** exponent, log_probability, words, ended)
        words = (*words, best)


def beam(network: TableNetwork, longest: int, exponent: float, size: int, table: int = 0) -> list[Hypothesis]:
    """Beam search as it is told in one sentence: the best continuations have the places that the finished ones left.

    It never stops early, so it also shows that stopping early changes nothing.
    """
    allowed = [END, 3, *network.vocabulary()]
    live: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    finished: list[Hypothesis] = []
    for length in range(longest + 1):
        continuations = sorted(
            (
                (total + float(network.row(words, table)[symbol]), words, symbol)
                for total, words in live
                for symbol in allowed
            ),
            reverse=True,
        )[: size - len(finished)]
        before, live = live, []
        for total, words, symbol in continuations:
            if symbol == END:
                finished.append(Hypothesis(total / (length + 1) ** exponent, total, words))
            elif length < longest:
                live.append((total, (*words, symbol)))
        if not live:
            break
    if not finished:
        finished = [Hypothesis(total / max(len(words), 1) ** exponent, total, words, False) for total, words in before]
    return sorted(finished, reverse=True)
