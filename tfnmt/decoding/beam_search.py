"""Beam search over any decoder and output."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import keras
import tensorflow as tf

from tfnmt.decoding.beam import NOTHING, Finished, History, Live, roots
from tfnmt.decoding.hypotheses import Hypotheses
from tfnmt.decoding.length_normalization import LengthNormalization
from tfnmt.decoding.maximum_length import MaximumLength
from tfnmt.decoding.steering import ForbiddenSymbols, MinimumLength, Progress, Steering
from tfnmt.decoding.top_k import Best, top_k
from tfnmt.layers.candidates import Candidates
from tfnmt.layers.loop_invariants import loop_invariants
from tfnmt.models.memory import Memory
from tfnmt.text.vocabulary import CONTROL_SYMBOLS, END, PAD, START, UNKNOWN

_STAYING = 0.75
"""Sentences that are done leave the batch once no more than this share stays: moving the memory is not free."""


class SearchTask(NamedTuple):
    """What stays the same while one batch is searched: the task, `[batch]` tensors and scalars."""

    network: Any
    n_best: tf.Tensor
    sources: tf.Tensor
    longest: tf.Tensor
    steering: tuple[Steering, ...]
    candidates: Candidates | None

    def logits(self, features: tf.Tensor, live: Live) -> tf.Tensor:
        """`[rows, vocabulary]`, or a column for each candidate."""
        output, candidates = self.network.output_layer, self.candidates_of(live)
        return output.logits(features) if candidates is None else output.logits(features, candidates)

    def words(self, columns: tf.Tensor, live: Live) -> tf.Tensor:
        """The ids of columns of the logits, both `[sentences, n]`."""
        candidates = self.candidates_of(live)
        return columns if candidates is None else candidates.words(columns)

    def candidates_of(self, live: Live) -> Candidates | None:
        """Those of the sentences that are still live."""
        if self.candidates is None:
            return None
        ids, own = live.memory.candidates
        return self.candidates._replace(ids=ids, own=own)


class Ranked(NamedTuple):
    """The best continuations of each sentence, best first.

    Attributes:
        shortlist: they themselves.
        scores: float32 `[sentences, n]`, what ranked them.
        states: what a hypothesis carries along, a nest with any leading axis.
        rows: int32 `[sentences, n]`, where in it that of each continuation is.
    """

    shortlist: Best
    scores: tf.Tensor
    states: Any
    rows: tf.Tensor


@keras.saving.register_keras_serializable(package="tfnmt")
class BeamSearch:
    """Finds probable translations: graph code for any decoder and output, any batch and length.

    At each step the best continuations of a sentence are kept, as many as its beam has places. One that ends takes its
    place with it (as in the code of Bahdanau et al. 2015), so that beam 1 is greedy search under every length
    normalisation. A sentence is done when no place is left, at the length limit, or as soon as no live hypothesis can
    still reach the `n_best` best finished ones; the search when all its sentences are. Hypotheses that were cut at
    the limit are returned only when a sentence has no finished one, and are marked.

    The softmax's normaliser runs over the whole vocabulary whatever is forbidden, so that a hypothesis scores here what
    forced decoding says. With candidate lists it runs over each sentence's list (Jean et al. 2015, section 3.3), and a
    hypothesis scores at least what forced decoding says.

    Args:
        length_normalization: the exponent of the length in `score = log_probability / length ** exponent`, at least 0;
            or another rule, such as `GNMTLengthNormalization(0.6)`.
        maximum_length_factor: target words a source word a translation may have at most,
        maximum_length_constant: and this many more.
        minimum_length_factor: target words a source word below which no translation ends.
        forbid_unknown: whether the unknown symbol may not be produced.

    Raises:
        ValueError: a number is out of its range, or the least length exceeds the greatest.
    """

    def __init__(
        self,
        length_normalization: float | LengthNormalization = 1.0,
        maximum_length_factor: float = 2.0,
        maximum_length_constant: int = 10,
        minimum_length_factor: float = 0.0,
        forbid_unknown: bool = False,
    ) -> None:
        if minimum_length_factor > maximum_length_factor:
            raise ValueError(
                f"The minimum length factor {minimum_length_factor} exceeds the maximum length factor "
                f"{maximum_length_factor}: no translation could end."
            )
        self.length_normalization = LengthNormalization.get(length_normalization)
        self.maximum_length = MaximumLength(maximum_length_factor, maximum_length_constant)
        self.minimum_length = MinimumLength(minimum_length_factor)
        self.forbid_unknown = forbid_unknown

    @property
    def rules(self) -> tuple[Steering, ...]:
        """What leads every search. They concern control symbols, whose columns alone they are given."""
        never = ForbiddenSymbols((PAD, START, UNKNOWN) if self.forbid_unknown else (PAD, START))
        return (never, self.minimum_length) if self.minimum_length.factor else (never,)

    def __call__(
        self,
        network: Any,
        source_ids: tf.Tensor,
        beam_size: tf.Tensor,
        n_best: tf.Tensor,
        steering: Sequence[Steering] = (),
        candidates: Candidates | None = None,
    ) -> Hypotheses:
        """Translates a batch.

        Args:
            network: an `EncoderDecoder`, or what has its `encode`, `decoder` and `output_layer`.
            source_ids: int32 `[batch, source]`, padded with 0; a row without words has the empty translation, score 0.
            beam_size: int32 scalar, at least 1. It may exceed the vocabulary.
            n_best: int32 scalar from 1 to `beam_size`, hypotheses to return for each sentence. The best do not change
                when more are asked for.
            steering: what else leads the search of this batch; with candidates it may name shared words alone.
            candidates: the only words that translations of these sentences may hold; None for all words.

        Raises:
            tf.errors.InvalidArgumentError: `beam_size` or `n_best` is out of its range.
        """
        beam_size, n_best = tf.convert_to_tensor(beam_size, tf.int32), tf.convert_to_tensor(n_best, tf.int32)
        with tf.control_dependencies(
            [
                tf.debugging.assert_positive(n_best, "n_best must be at least 1."),
                tf.debugging.assert_less_equal(n_best, beam_size, "n_best must not exceed beam_size."),
            ]
        ):
            memory = network.encode(tf.identity(source_ids))
        if candidates is not None:
            candidates = network.output_layer.prepare(candidates)
            memory = memory._replace(candidates=(candidates.ids, candidates.own))
        longest = self.maximum_length.words(memory.words)
        if network.decoder.max_target_length is not None:
            longest = tf.minimum(longest, network.decoder.max_target_length)
        search = SearchTask(network, n_best, memory.words, longest, tuple(steering), candidates)

        live = _leave(roots(memory), memory.words > 0, at_most=1.0)
        live = live._replace(state=self._begin(search, live.memory))
        finished = Finished.none(tf.shape(source_ids)[0], beam_size)
        history = History.empty(tf.shape(memory.mask)[1])

        def going(_length: tf.Tensor, live: Live, *_: Any) -> tf.Tensor:
            return tf.size(live.words) > 0

        def step(length: tf.Tensor, live: Live, finished: Finished, history: History) -> tuple[Any, ...]:
            return (length + 1, *self._step(search, length, live, finished, history))

        start = (tf.constant(0), live, finished, history)
        invariants = tf.nest.map_structure(_any_rows, start)
        with loop_invariants():
            _, _, finished, history = tf.while_loop(going, step, start, shape_invariants=invariants)
        return _best(finished, history, memory.words == 0, n_best)

    def _step(
        self, search: SearchTask, length: tf.Tensor, live: Live, finished: Finished, history: History
    ) -> tuple[Live, Finished, History]:
        """Adds one word to each live hypothesis."""
        features, state, weights = self._read(search, live)
        history, nodes = history.grown(live.words, live.parents, weights)
        here = finished.of(live.sentences)
        longest = tf.gather(search.longest, live.sentences)
        at_limit = (length >= longest)[:, tf.newaxis]

        ranked = self._rank(search, length, live, state, features, tf.shape(finished.scores)[1])
        shortlist, scores = ranked.shortlist, ranked.scores
        places = tf.range(tf.shape(shortlist.columns)[1])
        free = tf.shape(finished.scores)[1] - here.number()
        kept = (shortlist.values > NOTHING) & (places < free[:, tf.newaxis])
        ends = shortlist.columns == END
        origin_nodes = tf.gather(nodes, shortlist.rows, batch_dims=1)

        here = here.joined_by(_ended(kept & ends, scores, shortlist.values, origin_nodes, length))
        going_on = tf.where(kept & ~ends & ~at_limit, shortlist.values, NOTHING)
        stuck = (here.scores[:, :1] == NOTHING) & (tf.reduce_max(going_on, axis=1, keepdims=True) == NOTHING)
        cut = stuck & (live.log_probabilities > NOTHING)
        here = here.joined_by(_ended(cut, live.scores, live.log_probabilities, nodes, length, ended=False))

        best = self._bound(tf.reduce_max(going_on, axis=1), longest + 1)
        going_on = tf.where((best > here.scores[:, search.n_best - 1])[:, tf.newaxis], going_on, NOTHING)
        width = tf.reduce_max(tf.reduce_sum(tf.cast(going_on > NOTHING, tf.int32), axis=1))
        log_probabilities, order = tf.math.top_k(going_on, width)
        grown = Live(
            live.sentences,
            tf.gather(scores, order, batch_dims=1),
            log_probabilities,
            # A place that no hypothesis has may hold any number: the decoder must be able to look it up.
            tf.where(log_probabilities > NOTHING, tf.gather(shortlist.columns, order, batch_dims=1), PAD),
            tf.gather(origin_nodes, order, batch_dims=1),
            follow(ranked.states, tf.gather(ranked.rows, order, batch_dims=1)),
            live.memory,
        )
        finished = finished.with_rows(live.sentences, here)
        return _leave(grown, tf.reduce_any(going_on > NOTHING, axis=1), _STAYING), finished, history

    def _begin(self, search: SearchTask, memory: Memory) -> Any:
        """What an empty hypothesis carries along: the state of a decoder that is still to read the start symbol."""
        return search.network.decoder.initial_state(memory)

    def _read(self, search: SearchTask, live: Live) -> tuple[tf.Tensor, Any, tf.Tensor]:
        """Features, state and weights of a decoder that has read the last words."""
        step: tuple[tf.Tensor, Any, tf.Tensor] = search.network.decoder.step(
            tf.reshape(live.words, [-1]), live.state, live.memory
        )
        return step

    def _rank(
        self, search: SearchTask, length: tf.Tensor, live: Live, state: Any, features: tf.Tensor, size: tf.Tensor
    ) -> Ranked:
        """The `size` best continuations of each sentence by their scores; the word itself counts in the length."""
        found = self._shortlist(search, length, live, features, size)
        scores = self.length_normalization.score(found.values, length + 1)
        return Ranked(found, scores, state, rows_of(found.rows, tf.shape(live.words)[1]))

    def _bound(self, log_probabilities: tf.Tensor, longest: tf.Tensor) -> tf.Tensor:
        """The highest score that a live hypothesis may still reach."""
        return self.length_normalization.bound(log_probabilities, longest)

    def _shortlist(
        self, search: SearchTask, length: tf.Tensor, live: Live, features: tf.Tensor, size: tf.Tensor
    ) -> Best:
        """The `size` best continuations of each sentence: log-probabilities, places in the beam and words."""
        logits = search.logits(features, live)
        normalizers = search.network.output_layer.log_normalizers(logits)
        sources = tf.repeat(tf.gather(search.sources, live.sentences), tf.shape(live.words)[1])
        sentences = tf.repeat(live.sentences, tf.shape(live.words)[1])
        progress = Progress(length, tf.reshape(live.words, [-1]), sources, sentences)
        for steering in search.steering:
            logits = steering.steer(logits, progress)
        symbols = logits[:, : len(CONTROL_SYMBOLS)]
        for rule in self.rules:
            symbols = rule.steer(symbols, progress)
        offsets = live.log_probabilities - tf.reshape(normalizers, tf.shape(live.words))
        best = top_k(logits, offsets, size, first=symbols)
        return best._replace(columns=search.words(best.columns, live))

    def get_config(self) -> dict[str, Any]:
        return {
            "length_normalization": keras.saving.serialize_keras_object(self.length_normalization),
            "maximum_length_factor": self.maximum_length.factor,
            "maximum_length_constant": self.maximum_length.constant,
            "minimum_length_factor": self.minimum_length.factor,
            "forbid_unknown": self.forbid_unknown,
        }

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> BeamSearch:
        return cls(**config)


def _ended(
    chosen: tf.Tensor,
    scores: tf.Tensor,
    log_probabilities: tf.Tensor,
    nodes: tf.Tensor,
    length: tf.Tensor,
    ended: bool = True,
) -> Finished:
    """The chosen hypotheses `[sentences, n]`, of `length` words, as finished ones."""
    shape = tf.shape(nodes)
    return Finished(
        tf.where(chosen, scores, NOTHING), log_probabilities, tf.fill(shape, length), nodes, tf.fill(shape, ended)
    )


def rows_of(places: tf.Tensor, width: tf.Tensor) -> tf.Tensor:
    """The rows `[sentences, n]` of places in the sentences' beams, of which each has `width`."""
    return tf.range(tf.shape(places)[0])[:, tf.newaxis] * width + places


def follow(states: Any, rows: tf.Tensor) -> Any:
    """Those of `rows [sentences, hypotheses]` in this order, a row each."""
    return tf.nest.map_structure(lambda part: tf.gather(part, tf.reshape(rows, [-1])), states)


def _leave(live: Live, staying: tf.Tensor, at_most: float) -> Live:
    """Without the sentences that do not stay, if the share of those that stay is below 1 and `at_most` this."""
    share = tf.reduce_mean(tf.cast(staying, tf.float32))
    return tf.cond((share < 1.0) & (share <= at_most), lambda: _only(live, staying), lambda: live)


def _only(live: Live, staying: tf.Tensor) -> Live:
    rows = tf.cast(tf.where(staying)[:, 0], tf.int32)
    width = tf.shape(live.words)[1]

    def sentences(part: tf.Tensor) -> tf.Tensor:
        return tf.gather(part, rows)

    return Live(
        sentences=sentences(live.sentences),
        scores=sentences(live.scores),
        log_probabilities=sentences(live.log_probabilities),
        words=sentences(live.words),
        parents=sentences(live.parents),
        state=follow(live.state, rows[:, tf.newaxis] * width + tf.range(width)),
        memory=tf.nest.map_structure(sentences, live.memory),
    )


def _any_rows(part: Any) -> Any:
    """The shape of a loop variable: as sentences leave, the beam narrows and caches grow, all axes may change, but not
    the last of three or more."""
    if isinstance(part, tf.TensorArray):
        return part.flow.shape
    free = max(part.shape.rank - 1, min(2, part.shape.rank))
    return tf.TensorShape([None] * free).concatenate(part.shape[free:])


def _best(finished: Finished, history: History, blank: tf.Tensor, n_best: tf.Tensor) -> Hypotheses:
    """The first `n_best` of each sentence with their words; blank sentences have the empty one."""
    best = Finished(*(field[:, :n_best] for field in finished))
    empty = blank[:, tf.newaxis] & (tf.range(n_best) == 0)
    ids, weights = history.paths(best.nodes, best.lengths)
    return Hypotheses(
        ids=ids,
        lengths=best.lengths,
        scores=tf.where(empty, 0.0, best.scores),
        log_probabilities=tf.where(empty, 0.0, best.log_probabilities),
        weights=weights,
        finished=best.ended | empty,
    )
