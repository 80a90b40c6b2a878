"""The signatures of an export: names and shapes that programs in any language rely on.

Every input and output begins with the batch axis and none is ragged, since that is what a model server can join and
split. Whatever is a number of the search (beam size, n) is fixed when exporting: an input without a batch axis would
keep a server from batching. No output name ends in `_bytes`, which would make the REST interface encode it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import tensorflow as tf

from tfnmt.decoding.translator import Alignments, Translations

Outputs = dict[str, tf.Tensor]

TO = "to"
"""The input that names the target language of each row, where a model has several."""

ONE_LANGUAGE = "translate_"
"""How the name of a signature begins that translates into one of several languages; the language follows."""


class TranslatorGraphs(Protocol):
    """The graph functions of a `Translator`, which is one."""

    def translate_graph(self, strings: tf.Tensor, beam_size: tf.Tensor, n_best: tf.Tensor) -> Translations: ...

    def translate_and_align_graph(
        self, strings: tf.Tensor, beam_size: tf.Tensor
    ) -> tuple[Translations, Alignments]: ...

    def align_graph(self, sources: tf.Tensor, targets: tf.Tensor) -> Alignments: ...

    def score_graph(self, sources: tf.Tensor, targets: tf.Tensor) -> tf.Tensor: ...


class Signature(NamedTuple):
    """One way to call an export.

    Attributes:
        inputs: names of the inputs, each [batch] strings.
        outputs: axes of each output by its name.
        function: graph code from the inputs, in that order, to the outputs.
        languages: what the input `to` may say; none where there is no such input.
    """

    inputs: tuple[str, ...]
    outputs: dict[str, str]
    function: Callable[..., Outputs]
    languages: tuple[str, ...] = ()

    @property
    def specification(self) -> list[tf.TensorSpec]:
        """Any number of strings for each input."""
        return [tf.TensorSpec([None], tf.string, name) for name in self.inputs]


def signatures(translator: TranslatorGraphs, beam_size: int, n_best: int) -> dict[str, Signature]:
    """All signatures of a translator by name, `serving_default` first.

    Args:
        translator: what is exported.
        beam_size: places in the beam of every search.
        n_best: how many translations `n_best` returns for each sentence.
    """

    def translate(sentences: tf.Tensor) -> Outputs:
        found = translator.translate_graph(sentences, beam_size, 1)
        return {"translation": found.texts[:, 0], "score": _finite(found.scores[:, 0])}

    def translate_n_best(sentences: tf.Tensor) -> Outputs:
        found = translator.translate_graph(sentences, beam_size, n_best)
        return {"translations": found.texts, "scores": _finite(found.scores)}

    def align(sentences: tf.Tensor) -> Outputs:
        found, alignments = translator.translate_and_align_graph(sentences, beam_size)
        return {"translation": found.texts[:, 0], **_dense(alignments)}

    def align_pairs(sources: tf.Tensor, targets: tf.Tensor) -> Outputs:
        return _dense(translator.align_graph(*_as_many(sources, targets)))

    def score(sources: tf.Tensor, targets: tf.Tensor) -> Outputs:
        return {"score": _finite(translator.score_graph(*_as_many(sources, targets)))}

    best = {"translation": "[batch]", "score": "[batch]"}
    all_best = {"translations": "[batch, n]", "scores": "[batch, n]"}
    alignment = {
        "source_tokens": "[batch, source]",
        "target_tokens": "[batch, target]",
        "weights": "[batch, target, source]",
    }
    return {
        "serving_default": Signature(("sentences",), best, translate),
        "n_best": Signature(("sentences",), all_best, translate_n_best),
        "align": Signature(("sentences",), {"translation": "[batch]", **alignment}, align),
        "align_pairs": Signature(("sources", "targets"), alignment, align_pairs),
        "score": Signature(("sources", "targets"), {"score": "[batch]"}, score),
    }


def _dense(alignments: Alignments) -> Outputs:
    return {
        "source_tokens": alignments.source_tokens.to_tensor(""),
        "target_tokens": alignments.target_tokens.to_tensor(""),
        "weights": alignments.weights,
    }


def _as_many(sources: tf.Tensor, targets: tf.Tensor) -> list[tf.Tensor]:
    """Both sides of pairs; a request with more of one than of the other is refused."""
    message = "Number n of `targets` belongs to number n of `sources`: there must be as many of both."
    with tf.control_dependencies([tf.debugging.assert_equal(tf.size(sources), tf.size(targets), message)]):
        return [tf.identity(sources), tf.identity(targets)]


def _finite(scores: tf.Tensor) -> tf.Tensor:
    """Minus infinity as the lowest float: JSON has no infinity."""
    return tf.maximum(scores, tf.float32.min)
