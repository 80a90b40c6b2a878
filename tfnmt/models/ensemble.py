"""Several networks that translate as one."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import keras
import tensorflow as tf

from tfnmt.layers.candidates import Candidates
from tfnmt.layers.token_blocks import in_blocks
from tfnmt.models.combination import Combination, MeanOfLogits, mean
from tfnmt.models.encoder_decoder import EncoderDecoder
from tfnmt.models.memory import Memory


class JointState(NamedTuple):
    """The state of the members' decoders.

    Attributes:
        members: their states.
        waiting: of each member, the weights `[rows, source]` of the last steps that wait for the others, oldest first.
    """

    members: tuple[Any, ...]
    waiting: tuple[tuple[tf.Tensor, ...], ...]


class JointEncoder:
    """The members' encoders: a `Memory` whose annotations are the members' memories.

    Its mask is as wide as the widest of theirs: some members read an end symbol and some do not.
    """

    def __init__(self, members: Sequence[Any]) -> None:
        self.members = members
        self.vocabulary_size = members[0].encoder.vocabulary_size

    def __call__(self, source_ids: tf.Tensor, training: bool = False) -> Memory:
        memories = tuple(member.encoder(source_ids, training=training) for member in self.members)
        width = functools.reduce(tf.maximum, (tf.shape(memory.mask)[1] for memory in memories))
        masks = (tf.pad(memory.mask, [[0, 0], [0, width - tf.shape(memory.mask)[1]]]) for memory in memories)
        return Memory(
            annotations=memories, mask=functools.reduce(tf.logical_or, masks), summary=(), words=memories[0].words
        )


class JointDecoder:
    """The members' decoders, as one that follows the contract of `Decoder`.

    Features are the members' features side by side. Weights are the mean of the members' weights *of the same word*:
    where some members' weights align the word they read, those of the others wait for it.
    """

    def __init__(self, members: Sequence[Any]) -> None:
        self.members = [member.decoder for member in members]
        self.vocabulary_size = self.members[0].vocabulary_size
        self.features_size = sum(member.features_size for member in self.members)
        self.alignment_shift = max(member.alignment_shift for member in self.members)
        limits = [member.max_target_length for member in self.members if member.max_target_length is not None]
        self.max_target_length = min(limits, default=None)
        self._delays = [self.alignment_shift - member.alignment_shift for member in self.members]

    def prepare(self, memory: Memory) -> Memory:
        prepared = zip(self.members, memory.annotations, strict=True)
        return memory._replace(annotations=tuple(member.prepare(own) for member, own in prepared))

    def initial_state(self, memory: Memory, hypotheses: int | tf.Tensor = 1) -> JointState:
        nothing = tf.zeros([tf.shape(memory.words)[0] * hypotheses, tf.shape(memory.mask)[1]])
        return JointState(
            tuple(
                member.initial_state(own, hypotheses)
                for member, own in zip(self.members, memory.annotations, strict=True)
            ),
            tuple((nothing,) * delay for delay in self._delays),
        )

    def step(self, ids: tf.Tensor, state: JointState, memory: Memory) -> tuple[tf.Tensor, JointState, tf.Tensor]:
        steps = [
            member.step(ids, own_state, own_memory)
            for member, own_state, own_memory in zip(self.members, state.members, memory.annotations, strict=True)
        ]
        features, states, weights = zip(*steps, strict=True)
        queues = [(*waiting, _as_wide_as(memory, own)) for waiting, own in zip(state.waiting, weights, strict=True)]
        new_state = JointState(states, tuple(queue[1:] for queue in queues))
        return tf.concat(features, axis=-1), new_state, mean([queue[0] for queue in queues])

    def __call__(self, input_ids: tf.Tensor, memory: Memory, training: bool = False) -> tuple[tf.Tensor, tf.Tensor]:
        passes = [
            member(input_ids, own, training=training)
            for member, own in zip(self.members, memory.annotations, strict=True)
        ]
        features, weights = zip(*passes, strict=True)
        target = tf.shape(input_ids)[1]
        aligned = [
            tf.pad(_as_wide_as(memory, own), [[0, 0], [delay, 0], [0, 0]])[:, :target]
            for own, delay in zip(weights, self._delays, strict=True)
        ]
        return tf.concat(features, axis=-1), mean(aligned)


class JointOutput:
    """The members' output layers and how their opinions become one, as one that follows the contract of an output."""

    def __init__(self, members: Sequence[Any], combination: Combination) -> None:
        self.members = [member.output_layer for member in members]
        self.sizes = [member.decoder.features_size for member in members]
        self.combination = combination
        self.vocabulary_size = members[0].decoder.vocabulary_size

    def logits(self, features: tf.Tensor, candidates: Candidates | None = None) -> tf.Tensor:
        parts = tf.split(features, self.sizes, axis=-1)
        if candidates is None:
            logits = [member.logits(part) for member, part in zip(self.members, parts, strict=True)]
        else:
            owns = candidates.own or self.prepare(candidates).own
            logits = [
                member.logits(part, candidates._replace(own=own))
                for member, part, own in zip(self.members, parts, owns, strict=True)
            ]
        return self.combination.logits(logits)

    def prepare(self, candidates: Candidates) -> Candidates:
        """What each member reads of the candidates."""
        return candidates._replace(own=tuple(member.prepare(candidates).own for member in self.members))

    def log_normalizers(self, logits: tf.Tensor) -> tf.Tensor:
        return self.combination.log_normalizers(logits)

    def negative_log_likelihood(self, features: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
        """Some tokens at a time: the members' vocabulary may be very large."""
        return in_blocks(self._costs, features, labels, len(self.members) * self.vocabulary_size)

    def _costs(self, features: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
        logits = self.logits(features)
        return self.log_normalizers(logits) - tf.gather(logits, labels, batch_dims=1)

    loss = negative_log_likelihood


@keras.saving.register_keras_serializable(package="tfnmt")
class Ensemble(EncoderDecoder):
    """Any trained networks with the same vocabularies as one: they vote on each word, in one search.

    It stands wherever an `EncoderDecoder` does: in a search, in forced decoding, in a `Translator`, in an export. The
    members may be of different kinds and sizes. A network in an ensemble with itself changes nothing.

    The weights of a word are the mean of the members' weights for that word (Luong et al. 2015 and Jean et al. 2015 sum
    them, which ranks alike); members without attention have none to give.

    Args:
        members: networks.
        combination: how their opinions become one; `MeanOfLogits()` by default.

    Raises:
        ValueError: there is no member, or their vocabularies differ in size.
    """

    def __init__(
        self, members: Sequence[EncoderDecoder], combination: Combination | None = None, **kwargs: Any
    ) -> None:
        members = list(members)
        if not members:
            raise ValueError("An ensemble needs a network at least.")
        for side in ("encoder", "decoder"):
            sizes = [getattr(member, side).vocabulary_size for member in members]
            if len(set(sizes)) > 1:
                raise ValueError(f"The {side}s of an ensemble's networks must have one vocabulary; sizes: {sizes}.")
        combination = combination or MeanOfLogits()
        for member in members:
            if not member.built:
                member.build()
        super().__init__(JointEncoder(members), JointDecoder(members), JointOutput(members, combination), **kwargs)
        self.members = members
        self.combination = combination
        self.built = True

    def get_config(self) -> dict[str, Any]:
        return {
            **keras.Model.get_config(self),
            "members": [keras.saving.serialize_keras_object(member) for member in self.members],
            "combination": keras.saving.serialize_keras_object(self.combination),
        }

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Ensemble:
        parts = {
            "members": [
                keras.saving.deserialize_keras_object(member, custom_objects=custom_objects)
                for member in config["members"]
            ],
            "combination": keras.saving.deserialize_keras_object(config["combination"], custom_objects=custom_objects),
        }
        return cls(**{**config, **parts})


def _as_wide_as(memory: Memory, weights: tf.Tensor) -> tf.Tensor:
    """One member's weights `[..., source]` over all positions of the joint memory."""
    missing = tf.shape(memory.mask)[1] - tf.shape(weights)[-1]
    return tf.pad(weights, [[0, 0]] * (weights.shape.rank - 1) + [[0, missing]])
