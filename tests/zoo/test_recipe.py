"""What the recipes of the zoo say, and what no recipe can say."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from tfnmt.zoo import shelf


def test_the_paper_profile_says_what_the_paper_says() -> None:
    recipe = shelf.load("rnnsearch50")
    parts = recipe.model_dump(serialize_as_any=True)
    assert parts["model"]["encoder"]["units"] == parts["model"]["decoder"]["units"] == 1000
    assert parts["model"]["encoder"]["embedding_size"] == parts["model"]["decoder"]["embedding_size"] == 620
    assert parts["model"]["decoder"]["readout"]["units"] == 500
    assert parts["training"]["optimizer"] == {"kind": "adadelta", "learning_rate": 1.0, "rho": 0.95, "epsilon": 1e-6}
    assert (recipe.training.clip_norm, recipe.training.normalization) == (1.0, "sum")
    assert parts["corpus"]["batches"] == {"kind": "sentences", "batch_size": 80, "fetch": 20}
    assert [shelf.load(f"rnn{name}").corpus.maximum_length for name in ("encdec30", "encdec50", "search30")] == [
        30,
        50,
        30,
    ]


def test_a_recipe_is_frozen() -> None:
    recipe = shelf.load("rnnsearch50")
    with pytest.raises(ValidationError, match="frozen"):
        recipe.training.seed = 3  # type: ignore[misc]


def test_every_figure_of_the_paper_s_table_is_there() -> None:
    """Bahdanau et al. 2015, table 1: all sentences, and those without unknown words."""
    published = {name: [figure.value for figure in shelf.load(name).paper.figures] for name in shelf.names()}  # type: ignore[union-attr]
    assert published["rnnencdec30"] == [13.93, 24.19]
    assert published["rnnsearch30"] == [21.50, 31.44]
    assert published["rnnencdec50"] == [17.82, 26.71]
    assert published["rnnsearch50"] == [26.75, 34.16, 28.45, 36.15]
