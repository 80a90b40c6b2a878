"""The signatures of a translator into many languages: each row of a request names its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import tensorflow as tf

from tfnmt.export.signatures import ONE_LANGUAGE, TO, Outputs, Signature, TranslatorGraphs, signatures


def multi_task_signatures(
    translators: Mapping[str, TranslatorGraphs], beam_size: int, n_best: int
) -> dict[str, Signature]:
    """All signatures by name, `serving_default` first.

    They are those of `tfnmt.export.signatures` with one input more, `to` [batch], the language of each row, and a
    `translate_<language>` for each language, which takes sentences alone.

    Args:
        translators: what is exported, by language.
        beam_size: places in the beam of every search.
        n_best: how many translations `n_best` returns for each sentence.
    """
    ways = {language: signatures(translator, beam_size, n_best) for language, translator in translators.items()}
    first = next(iter(ways.values()))
    chosen = {name: _by_language({language: ways[language][name] for language in ways}) for name in first}
    alone = {f"{ONE_LANGUAGE}{language}": ways[language]["serving_default"] for language in ways}
    return {**chosen, **alone}


def _by_language(ways: dict[str, Signature]) -> Signature:
    """One signature from those of the languages, which have the same inputs and outputs."""
    languages, first = tuple(ways), next(iter(ways.values()))

    def function(*inputs_and_to: tf.Tensor) -> Outputs:
        *inputs, to = inputs_and_to
        known = tf.reduce_any(to[:, tf.newaxis] == tf.constant(languages)[tf.newaxis], axis=1)
        listed = f"`{TO}` names a language that this model does not know. It knows {', '.join(languages)}."
        with tf.control_dependencies([tf.debugging.Assert(tf.reduce_all(known), [listed, to], summarize=20)]):
            rows = [tf.cast(tf.where(to == language)[:, 0], tf.int32) for language in languages]
        answers = [
            way.function(*(tf.gather(side, numbers) for side in inputs))
            for way, numbers in zip(ways.values(), rows, strict=True)
        ]
        return {output: _stitched(rows, [answer[output] for answer in answers]) for output in first.outputs}

    return Signature((*first.inputs, TO), first.outputs, function, languages)


def _stitched(rows: Sequence[tf.Tensor], parts: Sequence[tf.Tensor]) -> tf.Tensor:
    """The parts `[rows, ...]` put back into one batch, padded to the widest: strings with "", numbers with 0."""
    widest = tf.reduce_max(tf.stack([tf.shape(part)[1:] for part in parts]), axis=0)
    padded = []
    for part in parts:
        missing = widest - tf.shape(part)[1:]
        ends = tf.concat([[0], missing], axis=0)
        padded.append(
            tf.pad(
                part,
                tf.stack([tf.zeros_like(ends), ends], axis=1),
                constant_values=tf.zeros([], part.dtype),
            )
        )
    stitched = tf.dynamic_stitch(list(rows), padded)
    stitched.set_shape([None, *([None] * (parts[0].shape.rank - 1))])
    return stitched
