"""The recipe that a run of `train` has in the end: the zoo's, with text, languages and a starting model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tfnmt.errors import UserError
from tfnmt.zoo import pairs, shelf, texts, translators
from tfnmt.zoo.parts.models import EncoderDecoder
from tfnmt.zoo.parts.outputs import SampledSoftmaxOutput
from tfnmt.zoo.recipe import Recipe, Task

DEMO_PROFILE = "small"


def effective(
    model: str,
    profile: str | None = None,
    overrides: Sequence[str] = (),
    data: str | None = None,
    languages: str | None = None,
    files: Mapping[str, Sequence[str]] | None = None,
    start: str | None = None,
) -> Recipe:
    """The effective recipe of a run that begins.

    Args:
        model: name or path of the recipe.
        profile: its variant; None for the paper's, or for the demo's where no text is named.
        overrides: `key.of.a.table=value`, as `shelf.load` takes them.
        data: a directory of text.
        languages: such as `en-de`, or `en-de,fr` for a model of several target languages.
        files: `train_source`, `train_target`, `train_tsv` and the same of the other parts.
        start: the trained model to start from.

    Raises:
        UserError: something that was named is not there or does not fit.
    """

    def under(profile: str) -> Recipe:
        options = _options(shelf.load(model, profile, overrides), data, languages, files or {})
        recipe = shelf.load(model, profile, overrides, {**options, **({"start": start} if start else {})})
        return recipe if recipe.start is None else _after_its_start(recipe, overrides)

    if profile is not None:
        return under(profile)
    named = bool(data or start or any((files or {}).values()))
    if not named and DEMO_PROFILE in shelf.profiles(model) and not pairs.has_texts(shelf.load(model, shelf.PAPER)):
        return under(DEMO_PROFILE)
    return under(shelf.PAPER)


def _options(
    recipe: Recipe, data: str | None, languages: str | None, files: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """What the command line says of text and languages, as a table to lie over the recipe."""
    source, targets = texts.languages(languages) if languages else (recipe.source.language, recipe.languages)
    named: dict[str, Any] = {}
    for split in texts.SPLITS:
        named |= texts.named(split, *(files.get(f"{split}_{side}", ()) for side in ("source", "target", "tsv")))
    if named and len(targets) > 1:
        raise UserError(
            f"Files are named for one pair of languages, but there are {len(targets)} target languages. Name the text "
            "of all by --data, or in a recipe of your own by `train`, `valid` and `test` of each of its `tasks`."
        )
    if recipe.tasks is not None:
        known = {
            task.language: task.model_dump(mode="json", exclude_none=True, serialize_as_any=True)
            for task in recipe.tasks
        }
        tasks = [
            {
                **known.get(target, {"language": target}),
                **(texts.from_directory(data, source, target) if data else named),
            }
            for target in targets
        ]
        return {"source": {"language": source}, "tasks": tasks}
    if len(targets) > 1:
        raise UserError(
            f"{recipe.name} translates into one language, not into {', '.join(targets)}. `tfnmt list` shows which "
            "model has several."
        )
    (target,) = targets
    options: dict[str, Any] = {"corpus": {**named, **(texts.from_directory(data, source, target) if data else {})}}
    if languages:
        options |= {"source": {"language": source}, "target": {"language": target}}
    return options


def _after_its_start(recipe: Recipe, overrides: Sequence[str]) -> Recipe:
    """The recipe with what the starting model has decided: languages, vocabularies, text that is not named anew, and
    the network if that is trained on; with several languages also how they are searched, for those that it has shall be
    translated as before.

    Raises:
        UserError: the starting model is not there, or cannot be what the overrides want.
    """
    try:
        path = translators.find(str(recipe.start))
    except UserError as error:
        raise UserError(
            f"{recipe.name} starts from a trained model. {error} Train one first, for example by "
            "`tfnmt train rnnsearch50`, or name another by --start."
        ) from None
    start = translators.recipe_in(path)
    if recipe.tasks is None:
        own = recipe.corpus
        corpus = own if pairs.has_texts(recipe) else own.model_copy(
            update={split: getattr(start.corpus, split) for split in texts.SPLITS}
        )  # fmt: skip
        decided = {"source": start.source, "target": start.target, "corpus": corpus}
        return _with_its_network(recipe.model_copy(update=decided), start, overrides)
    kept = start.tasks or (_as_a_task(start),)
    languages = {task.language for task in kept}
    return recipe.model_copy(
        update={
            "source": start.source,
            "decoding": start.decoding,
            "tasks": (*kept, *(task for task in recipe.tasks if task.language not in languages)),
            "model": recipe.model.model_copy(update={"encoder": getattr(start.model, "encoder", None)}),
        }
    )


def _with_its_network(recipe: Recipe, start: Recipe, overrides: Sequence[str]) -> Recipe:
    """The recipe with the network that it trains on, and its precision. What it samples may be another.

    Raises:
        UserError: the starting model is of another kind, or an override would change what is decided.
    """
    if not isinstance(recipe.model, EncoderDecoder):
        return recipe  # a value network is a new one, over that of the start
    if not isinstance(start.model, EncoderDecoder) or start.tasks is not None:
        raise translators.not_of_one_network(recipe)
    keys = [override.partition("=")[0].strip() for override in overrides]
    asked, output = recipe.model.output, start.model.output
    resampled = any(key.startswith("model.output.sampling") for key in keys)
    if resampled and isinstance(asked, SampledSoftmaxOutput) and isinstance(output, SampledSoftmaxOutput):
        output = output.model_copy(update={"sampling": asked.sampling})
    decided = recipe.model_copy(
        update={
            "model": start.model.model_copy(update={"output": output}),
            "training": recipe.training.model_copy(update={"precision": start.training.precision}),
        }
    )
    for key in keys:
        if (wanted := _value(recipe, key)) != (is_now := _value(decided, key)):
            raise UserError(
                f"{key} is {is_now} in '{recipe.start}', whose network is trained on: it cannot become {wanted}. Leave "
                "that out, or train a new model without --start."
            )
    return decided


def _value(recipe: Recipe, key: str) -> Any:
    """What stands at `table.key` of a recipe; None where nothing does."""
    value: Any = recipe.model_dump(mode="json", serialize_as_any=True)
    for part in key.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _as_a_task(recipe: Recipe) -> Task:
    """The only language of a model as one of several."""
    target, corpus = recipe.target, recipe.corpus
    return Task(
        language=target.language,
        vocabulary_size=target.vocabulary_size,
        minimum_count=target.minimum_count,
        tokenizer=target.tokenizer,
        train=corpus.train,
        valid=corpus.valid,
        test=corpus.test,
    )
