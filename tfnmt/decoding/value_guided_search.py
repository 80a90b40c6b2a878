"""Beam search that asks a value network which hypotheses will end well."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from tfnmt.decoding.beam import NOTHING, Live
from tfnmt.decoding.beam_search import BeamSearch, Ranked, SearchTask, follow, rows_of
from tfnmt.decoding.top_k import Best
from tfnmt.models.memory import Memory
from tfnmt.text.vocabulary import PAD, START


@keras.saving.register_keras_serializable(package="tfnmt")
class ValueGuidedSearch(BeamSearch):
    """Ranks hypotheses by probability and value (He et al. 2017, section 3.3)::

        score = alpha * log_probability / length ** length_normalization + (1 - alpha) * log v(x, y)

    At each step the likeliest continuations of a sentence are shortlisted, some for each place of its beam, and these
    are ranked by the score. The value of a continuation takes a step of the decoder, which those that go on keep. With
    `alpha` 1 it is the beam search that it derives from.

    Args:
        alpha: share of the probability, from 0 to 1 (paper: 0.8 to 0.9, by the validation text).
        shortlist: continuations for each place in the beam that are asked for their value.
        **options: of `BeamSearch`.

    Raises:
        ValueError: a number is out of its range.
    """

    def __init__(self, alpha: float = 0.85, shortlist: int = 2, **options: Any) -> None:
        super().__init__(**options)
        if not 0.0 <= alpha <= 1.0 or shortlist < 1:
            raise ValueError(f"alpha lies between 0 and 1, shortlist is 1 or more; got {alpha=}, {shortlist=}.")
        self.alpha = float(alpha)
        self.shortlist = int(shortlist)

    def _begin(self, search: SearchTask, memory: Memory) -> Any:
        """A hypothesis carries along what reading its last word gave, since its value asked for that."""
        decoder = search.network.decoder
        return decoder.step(tf.fill(tf.shape(memory.words), START), decoder.initial_state(memory), memory)

    def _read(self, search: SearchTask, live: Live) -> tuple[tf.Tensor, Any, tf.Tensor]:
        read: tuple[tf.Tensor, Any, tf.Tensor] = live.state
        return read

    def _rank(
        self, search: SearchTask, length: tf.Tensor, live: Live, state: Any, features: tf.Tensor, size: tf.Tensor
    ) -> Ranked:
        found = self._shortlist(search, length, live, features, size * self.shortlist)
        words = tf.where(found.values > NOTHING, found.columns, PAD)
        followed = follow(state, rows_of(found.rows, tf.shape(live.words)[1]))
        read = search.network.decoder.step(tf.reshape(words, [-1]), followed, live.memory)
        values = tf.reshape(search.network.log_values(read[1], live.memory), tf.shape(words))
        likelihoods = self.length_normalization.score(found.values, length + 1)
        scores = self.alpha * likelihoods + (1.0 - self.alpha) * values
        scores = tf.where(found.values > NOTHING, scores, NOTHING)
        scores, order = tf.math.top_k(scores, tf.minimum(size, tf.shape(scores)[1]))
        best = Best(*(tf.gather(part, order, batch_dims=1) for part in found))
        return Ranked(best, scores, read, rows_of(order, tf.shape(words)[1]))

    def _bound(self, log_probabilities: tf.Tensor, longest: tf.Tensor) -> tf.Tensor:
        return self.alpha * super()._bound(log_probabilities, longest)  # the logarithm of a value is at most 0

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "alpha": self.alpha, "shortlist": self.shortlist}
