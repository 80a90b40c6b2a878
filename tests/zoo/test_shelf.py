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
    recipe = shelf.load("rnnsearch50", overrides=["training.optimizer.kind=adam", "training.optimizer.beta_1=0.8"])
    dump = recipe.training.optimizer.model_dump()
    assert dump == {
        "kind": "adam",
        "learning_rate": 0.001,
        "beta_1": 0.8,
        "beta_2": 0.999,
        "epsilon": 1e-7,
        "lazy": False,
    }


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


def write(directory: Path, name: str, text: str) -> str:
    path = directory / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_recipe_extends_another_by_name_and_a_third_by_its_path(tmp_path: Path) -> None:
    write(
        tmp_path,
        "bases/wide.toml",
        'extends = "rnnsearch50"\ntitle = "Wide"\n[model.decoder]\nunits = 7\nembedding_size = 5\n'
        '[model.decoder.attention]\nkind = "none"\n'
        '[profiles.small.model.decoder.attention]\nkind = "none"\n[profiles.small.training]\nminutes = 9\nseed = 8\n',
    )
    mine = write(
        tmp_path,
        "mine.toml",
        'extends = "bases/wide.toml"\n[model.decoder]\nunits = 6\n[profiles.tiny.training]\nsteps = 3\n'
        "[profiles.small.training]\nminutes = 2\n[profiles.small.model.decoder]\nunits = 11\n",
    )
    base = shelf.load("rnnsearch50")
    recipe = shelf.load(mine)
    assert (recipe.name, recipe.profile, recipe.title) == ("mine", "paper", "Wide")
    assert recipe.training == base.training
    decoder = recipe.model.decoder  # type: ignore[attr-defined]
    assert (decoder.units, decoder.embedding_size) == (6, 5)
    assert decoder.attention.model_dump() == {"kind": "none"}  # another kind: the score below it is gone
    assert decoder.readout == base.model.decoder.readout  # type: ignore[attr-defined]
    assert shelf.profiles(mine) == [*shelf.profiles("rnnsearch50"), "tiny"]
    small = shelf.load(mine, "small")
    assert (small.training.minutes, small.training.seed, small.training.patience) == (2, 8, 5)
    assert small.model.decoder.units == 11  # type: ignore[attr-defined]
    assert small.model.decoder.attention == decoder.attention  # type: ignore[attr-defined]
    assert shelf.load(mine, "tiny").training.steps == 3
    assert shelf.load(mine, "tiny").training.minutes is None
    assert shelf.loads(shelf.dumps(small)) == small


def test_recipes_that_extend_each_other_in_a_circle_are_named(tmp_path: Path) -> None:
    one = write(tmp_path, "one.toml", 'extends = "two.toml"\n')
    two = write(tmp_path, "two.toml", 'extends = "./one.toml"\n')
    with pytest.raises(UserError) as raised:
        shelf.load(one)
    assert str(raised.value).startswith(f"{one}, which extends {two}, which extends {one}: recipes cannot")
    with pytest.raises(UserError, match=r"self\.toml, which extends .*self\.toml: recipes cannot"):
        shelf.load(write(tmp_path, "self.toml", 'extends = "self.toml"\n'))


@pytest.mark.parametrize(
    ("base", "message"),
    [
        ('"rnnserch50"', "extends: There is no model 'rnnserch50' in the zoo. Did you mean 'rnnsearch50'?"),
        ('"othr.toml"', "Did you mean 'other.toml'?"),
        ('["rnnsearch50"]', "extends: expected the name or the path of one recipe, not ['rnnsearch50']."),
    ],
)
def test_an_unknown_recipe_to_extend_is_told_with_the_file_that_says_so(
    base: str, message: str, tmp_path: Path
) -> None:
    write(tmp_path, "other.toml", "")
    mine = write(tmp_path, "mine.toml", f"extends = {base}\n")
    with pytest.raises(UserError) as raised:
        shelf.profiles(mine)
    assert str(raised.value).startswith(f"{mine}: extends: ")
    assert message in str(raised.value)


def test_a_mistake_names_the_file_of_the_lineage_that_made_it(tmp_path: Path) -> None:
    base = write(tmp_path, "base.toml", 'extends = "rnnsearch50"\n[training]\nepoch = 3\n')
    mine = write(tmp_path, "mine.toml", 'extends = "base.toml"\n[profiles.tiny.decoding]\nbeam = 3\n')
    with pytest.raises(UserError) as raised:
        shelf.load(mine, "tiny")
    lines = str(raised.value).splitlines()
    assert lines[0].startswith(f"{base}: training.epoch: ")
    assert lines[1].startswith(f"{mine}, profile 'tiny': decoding.beam: ")


def test_a_key_that_no_file_of_the_lineage_has_is_asked_of_the_recipe_itself(tmp_path: Path) -> None:
    write(tmp_path, "base.toml", 'source.language = "en"\n')
    mine = write(tmp_path, "mine.toml", 'extends = "base.toml"\n')
    with pytest.raises(UserError) as raised:
        shelf.load(mine)
    assert f"{mine}: title: this key is needed." in str(raised.value).splitlines()


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 5000, "{a=" * 3000], ids=["digits", "lists", "tables"])
def test_what_python_cannot_read_is_refused_like_any_wrong_value(value: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"training\.minutes"):
        shelf.load("rnnsearch50", "small", [f"training.minutes={value}"])
    (tmp_path / "mine.toml").write_text(f"minutes = {value}", encoding="utf-8")
    with pytest.raises(UserError, match="not valid TOML"):
        shelf.load(str(tmp_path / "mine.toml"))


def test_tables_nested_beyond_reason_are_refused(tmp_path: Path) -> None:
    key = ".".join("a" * 3000)
    with pytest.raises(UserError, match="deep"):
        shelf.load("rnnsearch50", "small", [f"{key}=1"])
    (tmp_path / "mine.toml").write_text(f"{key} = 1", encoding="utf-8")
    with pytest.raises(UserError, match="deep"):
        shelf.load(str(tmp_path / "mine.toml"))
