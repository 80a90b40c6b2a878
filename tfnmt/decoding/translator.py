"""Raw sentences in, raw sentences out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any, NamedTuple, overload

import keras
import numpy as np
import tensorflow as tf

from tfnmt.decoding.alignment import Alignment, strongest_words, word_weights
from tfnmt.decoding.arguments import encoded, encoded_pairs, of_kind, whole_number
from tfnmt.decoding.beam_search import BeamSearch
from tfnmt.decoding.candidate_list import CandidateList
from tfnmt.decoding.forced import forced
from tfnmt.decoding.length_batches import length_batches
from tfnmt.decoding.translation import Translation
from tfnmt.errors import UserError
from tfnmt.processors import processors
from tfnmt.text.lexicon import Lexicon
from tfnmt.text.tokenizer import Tokenizer
from tfnmt.text.unknown_words import TranslationRule, replace_unknown_words
from tfnmt.text.vocabulary import PAD

BATCH_SENTENCES = 80
"""Sentences that `translate`, `score` and `align` put into one batch at most."""
BATCH_WORDS = 4000
"""Words of such a batch, padding counted."""

# The graph functions go without AutoGraph: nothing here needs it, and tracing takes half the time.
_STRINGS = tf.TensorSpec([None], tf.string)
_NUMBER = tf.TensorSpec([], tf.int32)


class Translations(NamedTuple):
    """What `translate_graph` gives: `[batch, n_best]`, best first; where there is no n-th, "" with score -inf."""

    texts: tf.Tensor
    scores: tf.Tensor
    log_probabilities: tf.Tensor
    finished: tf.Tensor


class Alignments(NamedTuple):
    """What `align_graph` gives: Ragged strings `[batch, (source)]` and `[batch, (target)]`, float32 weights
    `[batch, target, source]`, 0 beyond the words of a row.
    """

    source_tokens: tf.RaggedTensor
    target_tokens: tf.RaggedTensor
    weights: tf.Tensor


@keras.saving.register_keras_serializable(package="tfnmt")
class Translator(keras.Model):
    """Source tokenizer, network, search and target tokenizer in one model that Keras saves and loads alone.

        translator = keras.saving.load_model("model.keras")     # after `import tfnmt`
        translator.translate(["A man sleeps."])                 # ["Ein Mann schläft."]

    The Python methods answer in the order of their input, one for one, whatever they do inside; a blank sentence has
    the empty translation. The `…_graph` methods are what they run, and what an export takes: `tf.function`s with a
    fixed signature, so that no batch, length or beam is traced anew.

    Args:
        source_tokenizer: reads sentences.
        target_tokenizer: writes translations.
        network: ids -> probabilities of ids.
        search: finds ids.
        lexicon: translates the source words that stand for unknown target words; without one they are copied.
        replace_unknown: whether an unknown target word is replaced by the source word with the highest attention weight
            (Jean et al. 2015, section 3.3; Luong et al. 2015b); "<unk>" is shown otherwise.
        beam_size: of the search, where a call names none.
        recipe: the effective recipe, as text, kept for who finds the model.
        unknown_rule: which source words the lexicon translates and which are copied; None for `AnyWord()`.
        candidates: the only words that a translation may hold; None for all. `score` and `align` are of all words.

    Call arguments:
        strings: `[batch]` sentences.

    Returns:
        `[batch]` strings, the best translations.
    """

    def __init__(
        self,
        source_tokenizer: Tokenizer,
        target_tokenizer: Tokenizer,
        network: keras.Model,
        search: BeamSearch,
        lexicon: Lexicon | None = None,
        replace_unknown: bool = True,
        beam_size: int = 5,
        recipe: str = "",
        unknown_rule: TranslationRule | None = None,
        candidates: CandidateList | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.source_tokenizer = of_kind("source_tokenizer", source_tokenizer, Tokenizer)
        self.target_tokenizer = of_kind("target_tokenizer", target_tokenizer, Tokenizer)
        self.network = network
        self.search = of_kind("search", search, BeamSearch)
        self.lexicon = of_kind("lexicon", lexicon, Lexicon | None)
        self.replace_unknown = replace_unknown
        self.beam_size = whole_number("beam_size", beam_size, 1)
        self.recipe = recipe
        self.unknown_rule = of_kind("unknown_rule", unknown_rule, TranslationRule | None)
        self.candidates = of_kind("candidates", candidates, CandidateList | None)
        if not network.built:
            network.build()
        self.built = True

    def tables(self) -> tuple[Any, ...]:
        """What holds tables of words, which an export must be told of."""
        return tuple(part for part in (self.source_tokenizer, self.target_tokenizer, self.lexicon) if part is not None)

    def with_lexicon(self, lexicon: Lexicon) -> Translator:
        """This translator with another lexicon for its unknown words; the network and the tokenizers are shared."""
        return self._with(lexicon=lexicon)

    def with_search(self, search: BeamSearch) -> Translator:
        """This translator with another search; all else is shared."""
        return self._with(search=search)

    def with_unknown_rule(self, rule: TranslationRule) -> Translator:
        """This translator with another rule for what its lexicon translates; all else is shared."""
        return self._with(unknown_rule=rule)

    def with_candidates(self, common: int, translations: int) -> Translator:
        """This translator with candidate lists of its lexicon: K shared words, K' translations of each source word.

        Raises:
            UserError: it has no lexicon, or the numbers are no sizes of a list.
        """
        if self.lexicon is None and translations:
            raise UserError(
                "Candidate lists need a lexicon, and this translator has none. Make one with tfnmt lexicon, or ask for "
                "the common words alone: 0 translations."
            )
        source, target = self.source_tokenizer.vocabulary, self.target_tokenizer.vocabulary
        try:
            candidates = CandidateList.of(self.lexicon or Lexicon(), source, target, common, translations)
        except ValueError as error:
            raise UserError(str(error)) from error
        return self._with(candidates=candidates)

    def without_replacement(self) -> Translator:
        """This translator with "<unk>" where a target word is unknown; all else is shared."""
        return self._with(replace_unknown=False)

    def _with(self, **changed: Any) -> Translator:
        parts = {name: getattr(self, name) for name in (*_PARTS, *_OPTIONS)}
        return Translator(**{**parts, **changed})

    def call(self, strings: tf.Tensor) -> tf.Tensor:
        return self.translate_graph(strings, self.beam_size, 1).texts[:, 0]

    @overload
    def translate(self, sentences: Iterable[str], beam_size: int | None = None, n_best: None = None) -> list[str]: ...

    @overload
    def translate(
        self, sentences: Iterable[str], beam_size: int | None = None, *, n_best: int
    ) -> list[list[Translation]]: ...

    def translate(
        self, sentences: Iterable[str], beam_size: int | None = None, n_best: int | None = None
    ) -> list[str] | list[list[Translation]]:
        """Translates sentences.

        Args:
            sentences: the strings.
            beam_size: places in the beam; 1 is greedy search, None the model's own.
            n_best: how many translations of each sentence to return, at most `beam_size`.

        Returns:
            One string a sentence; with `n_best` a list of `Translation`s a sentence, best first, fewer than `n_best`
            where there are no more.

        Raises:
            UserError: the sentences are not strings, or a number is out of its range.
        """
        strings = encoded("sentences", sentences)
        size = self.beam_size if beam_size is None else whole_number("beam_size", beam_size, 1)
        number = 1 if n_best is None else whole_number("n_best", n_best, 1)
        if number > size:
            raise UserError(
                f"n_best is {number}, but the beam has only {size} places: ask for fewer, or set beam_size to {number}."
            )

        def translated(batch: tf.Tensor) -> Iterator[list[Translation]]:
            for row in zip(*_arrays(self.translate_graph(batch, size, number)), strict=True):
                yield [
                    Translation(_text(text), float(score), float(log_probability), bool(finished))
                    for text, score, log_probability, finished in zip(*row, strict=True)
                    if np.isfinite(score)
                ]

        answers = self._answers(translated, strings)
        return [answer[0].text for answer in answers] if n_best is None else answers

    def score(self, sources: Iterable[str], targets: Iterable[str]) -> list[float]:
        """The log-probability of each given translation, end symbol included.

        Args:
            sources: sentences.
            targets: a translation of each.

        Raises:
            UserError: they are not strings, or not equally many.
        """
        pairs = encoded_pairs(sources, targets)
        return self._answers(lambda *batch: self.score_graph(*batch).numpy().tolist(), *pairs)

    def align(
        self, sources: Iterable[str], targets: Iterable[str] | None = None, beam_size: int | None = None
    ) -> list[Alignment]:
        """Which source words each target word looked at.

        Args:
            sources: sentences.
            targets: a translation of each, read by forced decoding; None for the model's own.
            beam_size: of the search for the model's own translation; None for the model's default.

        Raises:
            UserError: they are not strings, not equally many, or `beam_size` is out of its range.
        """
        if targets is not None:
            return self._answers(lambda *batch: _alignments(self.align_graph(*batch)), *encoded_pairs(sources, targets))
        size = self.beam_size if beam_size is None else whole_number("beam_size", beam_size, 1)
        strings = encoded("sources", sources)
        return self._answers(lambda batch: _alignments(self.translate_and_align_graph(batch, size)[1]), strings)

    @tf.function(input_signature=[_STRINGS, _NUMBER, _NUMBER], autograph=False)
    def translate_graph(self, strings: tf.Tensor, beam_size: tf.Tensor, n_best: tf.Tensor) -> Translations:
        """Translates sentences `[batch]`."""
        return self._translate(strings, beam_size, n_best)[0]

    @tf.function(input_signature=[_STRINGS, _NUMBER], autograph=False)
    def translate_and_align_graph(self, strings: tf.Tensor, beam_size: tf.Tensor) -> tuple[Translations, Alignments]:
        """Translates sentences `[batch]`, and aligns the best translation of each by the weights of the search."""
        return self._translate(strings, beam_size, tf.constant(1))

    @tf.function(input_signature=[_STRINGS, _STRINGS], autograph=False)
    def align_graph(self, sources: tf.Tensor, targets: tf.Tensor) -> Alignments:
        """Aligns pairs `[batch]` by forced decoding."""
        source_tokens, source_ids = self._read(self.source_tokenizer, sources)
        target_tokens, target_ids = self._read(self.target_tokenizer, targets)
        step_weights = forced(self.network, source_ids, target_ids).weights
        return Alignments(source_tokens, target_tokens, self._word_weights(step_weights, source_tokens)[:, 0])

    @tf.function(input_signature=[_STRINGS, _STRINGS], autograph=False)
    def score_graph(self, sources: tf.Tensor, targets: tf.Tensor) -> tf.Tensor:
        """Log-probabilities of pairs `[batch]`, end symbol included."""
        _, source_ids = self._read(self.source_tokenizer, sources)
        _, target_ids = self._read(self.target_tokenizer, targets)
        return forced(self.network, source_ids, target_ids).log_probabilities

    def _read(self, tokenizer: Tokenizer, strings: tf.Tensor) -> tuple[tf.RaggedTensor, tf.Tensor]:
        """Tokens `[batch, (tokens)]` and padded ids `[batch, tokens]`."""
        self._check_vocabularies()
        tokens = tokenizer.split(strings)
        return tokens, tokenizer.vocabulary.ids(tokens).to_tensor(PAD)

    def _translate(
        self, strings: tf.Tensor, beam_size: tf.Tensor, n_best: tf.Tensor
    ) -> tuple[Translations, Alignments]:
        """The translations, and the alignment of the best of each sentence."""
        source_tokens, source_ids = self._read(self.source_tokenizer, strings)
        candidates = None if self.candidates is None else self.candidates(source_ids)
        found = self.search(self.network, source_ids, beam_size, n_best, candidates=candidates)
        weights = self._word_weights(found.weights, source_tokens)
        batch, _, target = tf.unstack(tf.shape(found.ids))
        rows = batch * n_best
        ids = tf.reshape(found.ids, [rows, target])
        tokens = self.target_tokenizer.tokens(ids)
        if self.replace_unknown:
            sources = tf.gather(source_tokens, tf.repeat(tf.range(batch), n_best))
            positions = tf.reshape(strongest_words(weights), [rows, target])
            tokens = replace_unknown_words(tokens, ids, sources, positions, self.lexicon, self.unknown_rule)
        texts = tf.reshape(self.target_tokenizer.join(tokens), [batch, n_best])
        best = tf.gather(tokens, tf.range(batch) * n_best)
        return (
            Translations(texts, found.scores, found.log_probabilities, found.finished),
            Alignments(source_tokens, best, weights[:, 0]),
        )

    def _word_weights(self, step_weights: tf.Tensor, source_tokens: tf.RaggedTensor) -> tf.Tensor:
        return word_weights(step_weights, _lengths(source_tokens), self.network.decoder.alignment_shift)

    def _check_vocabularies(self) -> None:
        """Runs once a trace: by then the vocabularies of a loaded model are there."""
        for side, tokenizer, part in (
            ("source", self.source_tokenizer, self.network.encoder),
            ("target", self.target_tokenizer, self.network.decoder),
        ):
            if tokenizer.vocabulary_size != part.vocabulary_size:
                raise UserError(
                    f"The {side} tokenizer has a vocabulary of {tokenizer.vocabulary_size:,}, the network was built "
                    f"for {part.vocabulary_size:,}. Use the tokenizer that the network was trained with."
                )

    def _answers(self, function: Callable[..., Iterable[Any]], *sides: list[bytes]) -> list[Any]:
        """Runs a function of string batches over sentences (or pairs) of like length; answers in the input's order."""
        try:
            return self._answers_by_length(function, *sides)
        except tf.errors.NotFoundError as error:
            raise UserError(
                "TensorFlow has forgotten this model's word pieces. It does when a random seed is set "
                "(tf.random.set_seed, keras.utils.set_random_seed) after they were loaded: set the seed first, then "
                "load the model."
            ) from error

    def _answers_by_length(self, function: Callable[..., Iterable[Any]], *sides: list[bytes]) -> list[Any]:
        answers: list[Any] = [None] * len(sides[0])
        tokenizers = (self.source_tokenizer, self.target_tokenizer)
        lengths = np.zeros(len(sides[0]), np.int64)
        if len(lengths) > 1:
            for tokenizer, strings in zip(tokenizers, sides, strict=False):
                lengths = np.maximum(lengths, _lengths(tokenizer.split(tf.constant(strings))).numpy())

        def answer(numbers: np.ndarray) -> None:
            batch = (tf.constant([strings[number] for number in numbers]) for strings in sides)
            for number, found in zip(numbers, function(*batch), strict=True):
                answers[number] = found

        batches = length_batches(lengths.tolist(), BATCH_SENTENCES, BATCH_WORDS)
        # The first batch, of the shortest sentences, goes alone: it traces the function. A strategy in whose scope this
        # is called is known to this thread only, so that it works on all of them.
        list(map(answer, islice(batches, None if tf.distribute.has_strategy() else 1)))
        with ThreadPoolExecutor(processors()) as threads:
            list(threads.map(answer, batches))
        return answers

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            **{name: keras.saving.serialize_keras_object(getattr(self, name)) for name in _PARTS},
            **{name: getattr(self, name) for name in _OPTIONS},
        }

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Translator:
        parts = {
            name: keras.saving.deserialize_keras_object(config.get(name), custom_objects=custom_objects)
            for name in _PARTS
        }
        return cls(**{**config, **parts})


_PARTS = ("source_tokenizer", "target_tokenizer", "network", "search", "lexicon", "unknown_rule", "candidates")
_OPTIONS = ("replace_unknown", "beam_size", "recipe")


def _lengths(tokens: tf.RaggedTensor) -> tf.Tensor:
    return tf.cast(tokens.row_lengths(), tf.int32)


def _arrays(tensors: Iterable[tf.Tensor]) -> list[np.ndarray]:
    return [tensor.numpy() for tensor in tensors]


def _alignments(found: Alignments) -> Iterator[Alignment]:
    rows = zip(found.source_tokens.to_list(), found.target_tokens.to_list(), found.weights.numpy(), strict=True)
    for source, target, weights in rows:
        yield Alignment(
            tuple(map(_text, source)), tuple(map(_text, target)), weights[: len(target), : len(source)].copy()
        )


def _text(string: bytes) -> str:
    return string.decode("utf-8", errors="replace")
