"""The recipe of a run: languages, text and starting models, named on the command line."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from tfnmt.errors import UserError
from tfnmt.zoo import shelf
from tfnmt.zoo.effective import effective
from tfnmt.zoo.recipe import Recipe


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Text into three languages; German has sentences of its own."""
    for name in ("train.en", "train.de", "train.fr", "train-more.en", "train-more.de", "valid.en", "valid.de",
                 "valid.fr", "train-cs.en", "train-cs.cs", "valid.cs"):  # fmt: skip
        (tmp_path / name).write_text("a b\n", encoding="utf-8")
    return tmp_path


def run_of(recipe: Recipe, directory: Path) -> str:
    """A run that has a translator of this recipe, as far as can be seen without loading it."""
    directory.mkdir()
    with zipfile.ZipFile(directory / "translator.keras", "w") as file:
        file.writestr("config.json", json.dumps({"config": {"recipe": shelf.dumps(recipe)}}))
    return str(directory)


def names(texts: tuple[str, ...]) -> list[str]:
    return [Path(text).name for text in texts]


def test_without_text_it_is_the_demo() -> None:
    assert effective("rnnsearch50").profile == "small"
    assert effective("rnnsearch50", profile="paper").profile == "paper"
    assert effective("multitask").languages == ("de", "fr")


def test_each_language_has_its_own_text(data: Path) -> None:
    recipe = effective("multitask", data=str(data), languages="en-de,fr,cs")
    assert (recipe.profile, recipe.languages) == ("paper", ("de", "fr", "cs"))
    trained = {language: names(recipe.task(language).corpus.train.source) for language in recipe.languages}
    assert trained == {"de": ["train.en", "train-more.en"], "fr": ["train.en"], "cs": ["train-cs.en"]}
    assert recipe.task("cs").target.language == "cs" and recipe.task("cs").tasks is None
    with pytest.raises(UserError, match="does not translate into 'it', but into de, fr, cs"):
        recipe.task("it")


def test_a_task_says_what_differs_from_the_others() -> None:
    tasks = '[{language = "de"}, {language = "fr", vocabulary_size = 7, tokenizer = {kind = "character"}}]'
    recipe = effective("multitask", overrides=[f"tasks={tasks}", "target.vocabulary_size=9"])
    sizes = [recipe.task(language).target.vocabulary_size for language in ("de", "fr")]
    assert (sizes, recipe.task("fr").target.tokenizer.kind) == ([9, 7], "character")
    assert shelf.loads(shelf.dumps(recipe)) == recipe


@pytest.mark.parametrize(
    ("tasks", "message"),
    [
        ('[{language = "de"}, {language = "de"}]', "a language occurs twice"),
        ('[{language = "de", train = {source = ["a"], target = ["b"]}}, {language = "fr"}]', "text is named for some"),
        ("[]", "at least 1"),
        ('[{language = "de", minimum = 2}]', "no key 'minimum' here. Did you mean 'minimum_count'"),
    ],
)
def test_tasks_that_cannot_be_meant_are_refused(tasks: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        effective("multitask", overrides=[f"tasks={tasks}"])


def test_text_of_one_language_and_several_is_not_mixed_up(data: Path) -> None:
    with pytest.raises(UserError, match="translates into one language, not into de, fr"):
        effective("rnnsearch50", languages="en-de,fr")
    files = {"train_source": ("a",), "train_target": ("b",)}
    with pytest.raises(UserError, match="there are 2 target languages"):
        effective("multitask", files=files)
    assert effective("multitask", languages="en-cs", files=files).task("cs").corpus.train.source == ("a",)


def test_a_language_is_added_to_what_the_starting_model_has(tmp_path: Path, data: Path) -> None:
    first = effective("multitask", data=str(data), languages="en-de,fr", overrides=["model.encoder.units=7"])
    start = run_of(first, tmp_path / "first")
    recipe = effective("multitask", data=str(data), languages="en-cs", start=start)
    assert (recipe.languages, recipe.start) == (("de", "fr", "cs"), start)
    assert recipe.task("de") == first.task("de").model_copy(update={"start": start})
    assert recipe.model.encoder.units == 7


def test_a_language_is_added_to_a_model_of_one(tmp_path: Path, data: Path) -> None:
    one = effective("rnnsearch50", data=str(data), languages="en-de", overrides=["target.minimum_count=4"])
    recipe = effective("multitask", data=str(data), languages="en-fr", start=run_of(one, tmp_path / "one"))
    assert recipe.languages == ("de", "fr")
    assert recipe.task("de").target == one.target
    assert names(recipe.task("de").corpus.train.source) == ["train.en", "train-more.en"]


def test_a_value_network_has_the_languages_and_the_text_of_its_start(tmp_path: Path, data: Path) -> None:
    policy = effective("rnnsearch50", data=str(data), languages="en-fr", overrides=["source.vocabulary_size=99"])
    recipe = effective("rnnsearch_value", profile="small", start=run_of(policy, tmp_path / "policy"))
    assert (recipe.source, recipe.target) == (policy.source, policy.target)
    assert recipe.corpus.train == policy.corpus.train
    other = effective("rnnsearch_value", "small", data=str(data), languages="en-fr", start=str(tmp_path / "policy"))
    assert names(other.corpus.train.target) == ["train.fr"]


def test_a_network_that_is_trained_on_stays_what_it_is(tmp_path: Path, data: Path) -> None:
    own = ["model.encoder.units=7", "model.output.sampling.size=9", "training.precision=mixed_bfloat16"]
    first = effective("rnnsearch_lv", "small", own, data=str(data), languages="en-de")
    start = run_of(first, tmp_path / "first")
    later = effective("rnnsearch_lv", "small", ["training.fix_word_vectors=true"], start=start)
    assert (later.model, later.training.precision) == (first.model, "mixed_bfloat16")
    assert later.training.fix_word_vectors and not first.training.fix_word_vectors
    other = effective("rnnsearch50", "small", start=start)
    assert other.model == first.model and other.model.loss_name == "sampled loss"


def test_what_a_network_that_is_trained_on_samples_may_change(tmp_path: Path, data: Path) -> None:
    first = effective("rnnsearch_lv", "small", ["model.encoder.units=7"], data=str(data), languages="en-de")
    start = run_of(first, tmp_path / "first")
    later = effective("rnnsearch_lv", "small", ["model.output.sampling.size=50000"], start=start)
    assert later.model.output.sampling.size == 50_000 != first.model.output.sampling.size
    assert later.model.encoder == first.model.encoder


def test_what_a_network_that_is_trained_on_cannot_become_is_refused(tmp_path: Path, data: Path) -> None:
    first = effective("rnnsearch50", "small", ["model.encoder.units=7"], data=str(data), languages="en-de")
    start = run_of(first, tmp_path / "first")
    assert effective("rnnsearch50", "small", ["model.encoder.units=7"], start=start).model == first.model
    for override, message in (
        ("model.encoder.units=8", r"model\.encoder\.units is 7 in .*: it cannot become 8"),
        ("training.precision=mixed_float16", r"training\.precision is float32 in .*: it cannot become mixed_float16"),
    ):
        with pytest.raises(UserError, match=message):
            effective("rnnsearch50", "small", [override], start=start)
    several = run_of(effective("multitask", data=str(data), languages="en-de,fr"), tmp_path / "several")
    with pytest.raises(UserError, match="no translator of one network into one language"):
        effective("rnnsearch50", "small", start=several)


@pytest.mark.parametrize("model", ["multitask", "rnnsearch_value"])
def test_word_vectors_are_not_fixed_where_nothing_would_fix_them(model: str) -> None:
    with pytest.raises(UserError, match="fix_word_vectors is for a model of one network"):
        shelf.load(model, "small", ["training.fix_word_vectors=true"])


def test_a_starting_model_that_is_not_there_is_said_plainly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=r"no trained model 'runs/demo-rnnsearch50'.*tfnmt train rnnsearch50.*--start"):
        effective("rnnsearch_value")
