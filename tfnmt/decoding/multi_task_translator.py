"""One translator for many target languages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, overload

import keras

from tfnmt.decoding.alignment import Alignment
from tfnmt.decoding.arguments import listed
from tfnmt.decoding.beam_search import BeamSearch
from tfnmt.decoding.translation import Translation
from tfnmt.decoding.translator import Translator
from tfnmt.errors import UserError
from tfnmt.models.multi_task_network import MultiTaskNetwork
from tfnmt.text.lexicon import Lexicon
from tfnmt.text.tokenizer import Tokenizer
from tfnmt.text.unknown_words import TranslationRule


@keras.saving.register_keras_serializable(package="tfnmt")
class MultiTaskTranslator(keras.Model):
    """Source tokenizer, a network of many tasks, search and a tokenizer for each target language.

        translator = keras.saving.load_model("model.keras")     # after `import tfnmt`
        translator.translate(["A man sleeps."], to="de")        # ["Ein Mann schläft."]
        translator.task("de")                                   # a `Translator` into German

    Each language is translated into by a `Translator` of its own, which shares everything with this one.

    Args:
        source_tokenizer: reads sentences of all tasks.
        target_tokenizers: writes translations, by language.
        network: has a task for each of these languages.
        search: finds ids.
        lexicons: translate the source words that stand for unknown target words, by language; any of the languages.
        replace_unknown: as in `Translator`.
        beam_size: of the search, where a call names none.
        recipe: the effective recipe, as text, kept for who finds the model.
        unknown_rule: as in `Translator`.

    Raises:
        ValueError: the languages of the tokenizers are not the tasks of the network.
    """

    def __init__(
        self,
        source_tokenizer: Tokenizer,
        target_tokenizers: Mapping[str, Tokenizer],
        network: MultiTaskNetwork,
        search: BeamSearch,
        lexicons: Mapping[str, Lexicon] | None = None,
        replace_unknown: bool = True,
        beam_size: int = 5,
        recipe: str = "",
        unknown_rule: TranslationRule | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if set(target_tokenizers) != set(network.tasks):
            raise ValueError(
                f"A tokenizer for each task is needed: {list(target_tokenizers)} are given for {list(network.tasks)}."
            )
        self.source_tokenizer = source_tokenizer
        self.target_tokenizers = dict(target_tokenizers)
        self.network = network
        self.search = search
        self.lexicons = dict(lexicons or {})
        self.replace_unknown = replace_unknown
        self.recipe = recipe
        self.unknown_rule = unknown_rule
        if not network.built:
            network.build()
        self.translators = {
            language: Translator(
                source_tokenizer, target_tokenizers[language], network.task(language), search,
                self.lexicons.get(language), replace_unknown, beam_size, recipe, unknown_rule,
            )
            for language in network.tasks
        }  # fmt: skip
        self.beam_size = self.translators[network.tasks[0]].beam_size
        self.built = True

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that it translates into."""
        return self.network.tasks

    def tables(self) -> tuple[Any, ...]:
        """What holds tables of words, which an export must be told of."""
        return (self.source_tokenizer, *self.target_tokenizers.values(), *self.lexicons.values())

    def task(self, language: str | None) -> Translator:
        """The translator into one language.

        Raises:
            UserError: no language is named, or one that it does not know; all it knows are listed.
        """
        known = ", ".join(self.languages)
        if language is None:
            raise UserError(f"This model translates into {known}: say into which, in the command by --to.")
        if language not in self.translators:
            raise UserError(f"This model does not translate into '{language}', but into {known}.")
        return self.translators[language]

    @overload
    def translate(
        self, sentences: Iterable[str], to: str | Sequence[str], beam_size: int | None = None, n_best: None = None
    ) -> list[str]: ...

    @overload
    def translate(
        self, sentences: Iterable[str], to: str | Sequence[str], beam_size: int | None = None, *, n_best: int
    ) -> list[list[Translation]]: ...

    def translate(
        self,
        sentences: Iterable[str],
        to: str | Sequence[str] | None = None,
        beam_size: int | None = None,
        n_best: int | None = None,
    ) -> list[str] | list[list[Translation]]:
        """Translates sentences.

        Args:
            sentences: the strings.
            to: a language, or one for each sentence.
            beam_size: as in `Translator.translate`.
            n_best: as there.

        Raises:
            UserError: a language is not known, or what `Translator.translate` raises.
        """
        return self._answers(
            lambda translator, *side: translator.translate(*side, beam_size=beam_size, n_best=n_best), to, sentences
        )

    def score(
        self, sources: Iterable[str], targets: Iterable[str], to: str | Sequence[str] | None = None
    ) -> list[float]:
        """The log-probability of each given translation into `to`; as `Translator.score`."""
        return self._answers(lambda translator, *sides: translator.score(*sides), to, sources, targets)

    def align(
        self,
        sources: Iterable[str],
        targets: Iterable[str] | None = None,
        to: str | Sequence[str] | None = None,
        beam_size: int | None = None,
    ) -> list[Alignment]:
        """Which source words each target word looked at; as `Translator.align`."""
        sides = (sources,) if targets is None else (sources, targets)
        return self._answers(lambda translator, *sides: translator.align(*sides, beam_size=beam_size), to, *sides)

    def with_lexicon(self, lexicon: Lexicon, language: str) -> MultiTaskTranslator:
        """This translator with another lexicon for the unknown words of one language; all else is shared."""
        self.task(language)
        return MultiTaskTranslator(
            self.source_tokenizer, self.target_tokenizers, self.network, self.search,
            {**self.lexicons, language: lexicon}, self.replace_unknown, self.beam_size, self.recipe,
            self.unknown_rule,
        )  # fmt: skip

    def _answers(
        self, function: Callable[..., list[Any]], to: str | Sequence[str] | None, *sides: Iterable[str]
    ) -> list[Any]:
        """Asks the translator of each language for its rows; answers in the input's order."""
        if to is None or isinstance(to, str):
            return function(self.task(to), *sides)
        rows = [listed("sentences", side) for side in sides]
        if any(len(side) != len(to) for side in rows):
            counts = " and ".join(str(len(side)) for side in rows)
            raise UserError(f"{len(to)} languages for {counts} sentences: name one language, or one for each sentence.")
        answers: list[Any] = [None] * len(to)
        for language in dict.fromkeys(to):
            numbers = [number for number, asked in enumerate(to) if asked == language]
            found = function(self.task(language), *([side[number] for number in numbers] for side in rows))
            for number, answer in zip(numbers, found, strict=True):
                answers[number] = answer
        return answers

    def get_config(self) -> dict[str, Any]:
        serialize = keras.saving.serialize_keras_object
        return {
            **super().get_config(),
            "source_tokenizer": serialize(self.source_tokenizer),
            "target_tokenizers": {language: serialize(part) for language, part in self.target_tokenizers.items()},
            "network": serialize(self.network),
            "search": serialize(self.search),
            "lexicons": {language: serialize(part) for language, part in self.lexicons.items()},
            "replace_unknown": self.replace_unknown,
            "beam_size": self.beam_size,
            "recipe": self.recipe,
            "unknown_rule": serialize(self.unknown_rule),
        }

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> MultiTaskTranslator:
        def deserialize(part: Any) -> Any:
            return keras.saving.deserialize_keras_object(part, custom_objects=custom_objects)

        parts = {name: deserialize(config[name]) for name in ("source_tokenizer", "network", "search", "unknown_rule")}
        by_language = {
            name: {language: deserialize(part) for language, part in config[name].items()}
            for name in ("target_tokenizers", "lexicons")
        }
        return cls(**{**config, **parts, **by_language})
