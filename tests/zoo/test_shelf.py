"""Recipes are found by name or path, laid over each other, and errors name what was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfnmt.errors import UserError
from tfnmt.zoo import shelf


@pytest.mark.parametrize("model", shelf.names())
def test_every_recipe_of_the_zoo_is_complete_in_every_profile(model: str) -> None:
    for profile in shelf.profiles(model):
        recipe = shelf.load(model, profile)
        assert (recipe.name, recipe.profile) == (model, profile)
        assert recipe.paper is not None
        assert recipe.paper.figures


@pytest.mark.parametrize("model", shelf.names())
def test_every_recipe_of_the_zoo_has_a_card(model: str) -> None:
    card = shelf.card(model)
    assert card.startswith(f"# {model}\n")
    assert f"tfnmt train {model}" in card


def test_the_effective_recipe_survives_its_file() -> None:
    recipe = shelf.load("rnnencdec30", "small", ["training.minutes=0.5", "source.language=cs"])
    assert (recipe.training.minutes, recipe.source.language) == (0.5, "cs")
    assert shelf.loads(shelf.dumps(recipe)) == recipe


def test_the_effective_recipe_is_itself_a_recipe(tmp_path: Path) -> None:
    recipe = shelf.load("rnnsearch30", "small")
    path = tmp_path / "saved.toml"
    path.write_text(shelf.dumps(recipe), encoding="utf-8")
    assert shelf.load(str(path)) == recipe


def test_another_kind_takes_none_of_the_old_arguments() -> None:
    recipe = shelf.load("rnnsearch50", overrides=["training.optimizer.kind=sgd", "training.optimizer.momentum=0.9"])
    dump = recipe.training.optimizer.model_dump()
    assert dump == {"kind": "sgd", "learning_rate": 0.01, "momentum": 0.9}


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("trainin.steps=3", "trainin: no key 'trainin' here. Did you mean 'training'?"),
        ("model.encoder.unitz=3", "model.encoder.unitz: no key 'unitz' here. Did you mean 'units'?"),
        (
            "model.encoder.kind=bidirectionl",
            "model.encoder: no kind 'bidirectionl' here. Did you mean 'bidirectional'?",
        ),
        ("training.clip_norm=-1", "training.clip_norm: Input should be greater than 0, not -1."),
        ("source=en", "source: Input should be a valid dictionary"),
        ("training.clip_norm", "expected key=value"),
    ],
)
def test_a_mistaken_override_names_itself_and_the_nearest_name(override: str, message: str) -> None:
    with pytest.raises(UserError) as raised:
        shelf.load("rnnsearch50", overrides=["training.seed=2", override])
    assert str(raised.value).startswith(f"--set {override}: {message}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rnnsearch5",), "no model 'rnnsearch5' in the zoo. Did you mean 'rnnsearch50'?"),
        (("./zoo/rnnserch50.toml",), "no recipe file './zoo/rnnserch50.toml'"),
        (("rnnsearch50", "smal"), "no profile 'smal'. Did you mean 'small'?"),
    ],
)
def test_an_unknown_model_file_or_profile_names_the_nearest(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(UserError) as raised:
        shelf.load(*arguments)
    assert message in str(raised.value)


def test_a_mistake_in_a_file_names_the_file_and_the_profile(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = shelf.find("rnnsearch50").read_text(encoding="utf-8")
    path.write_text(text + "\n[profiles.tiny.training]\nepoch = 3\n", encoding="utf-8")
    assert shelf.load(str(path)).name == "mine"
    with pytest.raises(UserError, match=r"mine\.toml, profile 'tiny': training\.epoch: .* Did you mean 'epochs'"):
        shelf.load(str(path), "tiny")


def test_a_file_that_is_no_toml_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text('title = "x"\nmodel = ]\n', encoding="utf-8")
    with pytest.raises(UserError, match=r"broken\.toml is not valid TOML.*line 2"):
        shelf.load(str(path))
    path.write_bytes(b'title = "\xff"\n')
    with pytest.raises(UserError, match=r"broken\.toml is not UTF-8 text: byte 9"):
        shelf.load(str(path))
