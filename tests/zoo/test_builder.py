"""One function builds every part of every model."""

from __future__ import annotations

import numpy as np
import pytest

from tfnmt.zoo import builder, shelf


@pytest.mark.parametrize("model", shelf.names())
def test_every_model_of_the_zoo_is_built_and_predicts(model: str) -> None:
    narrow = ["model.encoder.units=6", "model.decoder.units=6", "model.encoder.embedding_size=5"]
    network = builder.network(shelf.load(model, "small", narrow), source_vocabulary_size=11, target_vocabulary_size=13)
    source_ids = np.array([[4, 5, 6], [7, 0, 0]], np.int32)
    target_ids = np.array([[4, 9], [12, 0]], np.int32)
    logits = network((source_ids, target_ids))
    assert logits.shape == (2, 3, 13)
    assert np.isfinite(logits).all()


def test_the_paper_s_rnnsearch_has_the_parameters_that_its_shapes_say() -> None:
    """84,349,101 with 30,001 rows a table (docs of the systems, identity K19)."""
    recipe = shelf.load("rnnsearch50")
    network = builder.network(recipe, source_vocabulary_size=30_001, target_vocabulary_size=30_001)
    network.build()
    assert network.count_params() == 84_349_101


def test_a_tokenizer_gets_the_language_of_its_side() -> None:
    recipe = shelf.load("rnnsearch50", overrides=["source.language=cs", "source.tokenizer.lowercase=true"])
    tokenizer = builder.tokenizer(recipe.source)
    assert (tokenizer.language, tokenizer.lowercase) == ("cs", True)
