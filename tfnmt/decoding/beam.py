"""The state of a beam search: the hypotheses that go on, those that are finished, and the words that led to them."""

from __future__ import annotations

from typing import Any, NamedTuple

import tensorflow as tf

from tfnmt.models.memory import Memory
from tfnmt.text.vocabulary import PAD, START

NOTHING = -float("inf")
"""The score of a place in the beam that no hypothesis has."""


class Live(NamedTuple):
    """Hypotheses that may still grow, all of the same length, the most probable first within their sentence.

    Both axes shrink as the search proceeds: sentences leave when nothing of theirs is live, and `width` is the largest
    number of live hypotheses that a sentence still has.

    Attributes:
        sentences: int32 `[sentences]`, their row in the batch.
        scores: float32 `[sentences, width]`, what they rank by if no word is added, 0 without a word.
        log_probabilities: float32 `[sentences, width]`, -inf where there is no hypothesis.
        words: int32 `[sentences, width]`, the last word.
        parents: int32 `[sentences, width]`, the node of the hypothesis before its last word.
        state: what they carry along, such as the decoder's state: a nest with leading axis sentences * width.
        memory: of the sentences, one row each; shared by their hypotheses.
    """

    sentences: tf.Tensor
    scores: tf.Tensor
    log_probabilities: tf.Tensor
    words: tf.Tensor
    parents: tf.Tensor
    state: Any
    memory: Memory


class Finished(NamedTuple):
    """The best hypotheses that grow no more, best first; one row for each sentence of the batch, live or not.

    Attributes:
        scores: float32 `[batch, beam]`, -inf where there is none (yet).
        log_probabilities: float32 `[batch, beam]`.
        lengths: int32 `[batch, beam]`, words.
        nodes: int32 `[batch, beam]`, where their last word stands in the history.
        ended: bool `[batch, beam]`, False when cut at the length limit.
    """

    scores: tf.Tensor
    log_probabilities: tf.Tensor
    lengths: tf.Tensor
    nodes: tf.Tensor
    ended: tf.Tensor

    @classmethod
    def none(cls, batch: tf.Tensor, beam: tf.Tensor) -> Finished:
        """Nothing is finished yet."""
        shape = tf.stack([batch, beam])
        zeros = tf.zeros(shape, tf.int32)
        return cls(tf.fill(shape, NOTHING), tf.zeros(shape), zeros, zeros, tf.zeros(shape, tf.bool))

    def number(self) -> tf.Tensor:
        """int32 `[batch]`, hypotheses of each sentence."""
        return tf.reduce_sum(tf.cast(self.scores > NOTHING, tf.int32), axis=1)

    def of(self, sentences: tf.Tensor) -> Finished:
        """Those of some sentences only."""
        return Finished(*(tf.gather(field, sentences) for field in self))

    def joined_by(self, others: Finished) -> Finished:
        """The best of both, as many as there are places here; among equals, those that were here first."""
        both = Finished(*(tf.concat(pair, axis=1) for pair in zip(self, others, strict=True)))
        scores, order = tf.math.top_k(both.scores, tf.shape(self.scores)[1])
        rest = (tf.gather(field, order, batch_dims=1) for field in both[1:])
        return Finished(scores, *rest)

    def with_rows(self, sentences: tf.Tensor, rows: Finished) -> Finished:
        """The rows of some sentences replaced."""
        places = sentences[:, tf.newaxis]
        updated = (tf.tensor_scatter_nd_update(old, places, new) for old, new in zip(self, rows, strict=True))
        return Finished(*updated)


class History(NamedTuple):
    """A tree of words: each node is a hypothesis that was live once, and knows its last word and the node before it.

    Live hypotheses are written as they are stepped, a block of nodes at a time, and never reordered; so the cost of
    a step does not depend on how many words went before. Node 0 stands for "no node".

    Attributes:
        size: int32 scalar, nodes written.
        blocks: int32 scalar, blocks written.
        words: TensorArray of int32 `[nodes]`.
        parents: TensorArray of int32 `[nodes]`.
        weights: TensorArray of float32 `[nodes, source]`, attention weights of the step *from* that node.
    """

    size: tf.Tensor
    blocks: tf.Tensor
    words: tf.TensorArray
    parents: tf.TensorArray
    weights: tf.TensorArray

    @classmethod
    def empty(cls, source: tf.Tensor) -> History:
        """Only node 0, for sources padded to the length `source`."""

        def array(dtype: tf.DType, shape: list[int | None]) -> tf.TensorArray:
            return tf.TensorArray(dtype, 1, dynamic_size=True, infer_shape=False, element_shape=shape)

        return cls(
            tf.constant(1),
            tf.constant(1),
            array(tf.int32, [None]).write(0, [PAD]),
            array(tf.int32, [None]).write(0, [0]),
            array(tf.float32, [None, None]).write(0, tf.zeros([1, source])),
        )

    def grown(self, words: tf.Tensor, parents: tf.Tensor, weights: tf.Tensor) -> tuple[History, tf.Tensor]:
        """Writes nodes: `words` and `parents` `[sentences, width]`, `weights [sentences * width, source]`.

        Returns:
            The history, and the numbers of the new nodes, int32 `[sentences, width]`.
        """
        number = tf.size(words)
        nodes = tf.reshape(self.size + tf.range(number), tf.shape(words))
        history = History(
            self.size + number,
            self.blocks + 1,
            self.words.write(self.blocks, tf.reshape(words, [-1])),
            self.parents.write(self.blocks, tf.reshape(parents, [-1])),
            self.weights.write(self.blocks, weights),
        )
        return history, nodes

    def paths(self, nodes: tf.Tensor, lengths: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """The words and weights that led to some nodes.

        Args:
            nodes: int32 `[batch, n]`, 0 for none.
            lengths: int32 `[batch, n]`, words on the way to them.

        Returns:
            ids `[batch, n, target]` and weights `[batch, n, target + 1, source]` as in `Hypotheses`; `target` is the
            greatest length.
        """
        parents = self.parents.concat()
        longest = tf.reduce_max(tf.concat([[0], tf.reshape(lengths, [-1])], axis=0))

        def back(
            position: tf.Tensor, at: tf.Tensor, path: tf.TensorArray
        ) -> tuple[tf.Tensor, tf.Tensor, tf.TensorArray]:
            reached = position <= lengths
            path = path.write(position, tf.where(reached, at, 0))
            return position - 1, tf.where(reached, tf.gather(parents, at), at), path

        path = tf.TensorArray(tf.int32, longest + 1, element_shape=[None, None])
        _, _, path = tf.while_loop(lambda position, *_: position >= 0, back, (longest, nodes, path))
        stacked = tf.transpose(path.stack(), [1, 2, 0])  # [batch, n, target + 1], the root first
        return tf.gather(self.words.concat(), stacked[:, :, 1:]), tf.gather(self.weights.concat(), stacked)


def roots(memory: Memory) -> Live:
    """One empty hypothesis for each sentence of the memory, as yet without a state of the decoder."""
    shape = tf.stack([tf.shape(memory.words)[0], 1])
    nothing = tf.zeros(shape)
    return Live(tf.range(shape[0]), nothing, nothing, tf.fill(shape, START), tf.zeros(shape, tf.int32), (), memory)
