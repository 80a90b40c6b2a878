"""One function builds every part of every model."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from tfnmt.errors import UserError
from tfnmt.zoo import builder, shelf

JUDGE = "rnnsearch_value"
"""Judges a trained network, and is built with it: tests/models/test_value_network.py."""


def narrow(model: str) -> list[str]:
    """Overrides of the sizes that the parts of a model have."""
    parts, sizes = shelf.load(model, "small").model, {"units": 6, "embedding_size": 5}
    return [
        f"model.{side}.{key}={size}"
        for side in ("encoder", "decoder")
        for key, size in sizes.items()
        if hasattr(getattr(parts, side, None), key)
    ]


@pytest.mark.parametrize("model", [name for name in shelf.names() if name != JUDGE])
def test_every_model_of_the_zoo_is_built_and_predicts(model: str) -> None:
    recipe = shelf.load(model, "small", narrow(model))
    words = 11 if recipe.joint_vocabulary else 13
    network = builder.network(recipe, source_vocabulary_size=11, target_vocabulary_size=words)
    source_ids = np.array([[4, 5, 6], [7, 0, 0]], np.int32)
    target_ids = np.array([[4, 9], [words - 1, 0]], np.int32)
    logits = network((source_ids, target_ids))
    assert logits.shape == (2, 3, words)
    assert np.isfinite(logits).all()


SAMPLED = [
    "model.output.kind=sampled_softmax",
    "model.output.sampling.kind=log_uniform",
    "model.output.sampling.size=6",
]


def test_every_model_of_one_network_may_have_a_sampled_output() -> None:
    for name in shelf.names():
        if name == JUDGE:
            continue
        if shelf.load(name).tasks is not None:
            with pytest.raises(UserError, match="a sampled output is for a model of one target language"):
                shelf.load(name, overrides=SAMPLED)
        else:
            assert shelf.load(name, overrides=SAMPLED).model.loss_name == "sampled loss"


@pytest.mark.parametrize("model", ["rnnsearch50", "luong_local_p", "conv_encoder", "transformer_base"])
def test_the_decoders_of_all_papers_train_on_a_sample(model: str) -> None:
    """The gradient of the output is one of rows, of the labels and the sample alone."""
    recipe = shelf.load(model, "small", [*narrow(model), *SAMPLED])
    network = builder.network(recipe, source_vocabulary_size=500, target_vocabulary_size=500)
    ids = (np.array([[4, 5, 6], [7, 0, 0]], np.int32), np.array([[4, 9], [12, 0]], np.int32))
    logits = network(ids)
    assert logits.shape == (2, 3, 500)
    with tf.GradientTape() as tape:
        losses = network.token_losses(*ids, training=False)
    gradient = tape.gradient(losses, network.output_layer.rows.value)
    words = np.unique(gradient.indices)
    assert np.isfinite(losses).all() and losses.shape == (5,)
    assert {2, 4, 9, 12} <= set(words.tolist()) and len(words) <= 20


def test_the_paper_s_rnnsearch_has_the_parameters_that_its_shapes_say() -> None:
    """84,349,101 with 30,001 rows a table (docs of the systems, identity K19)."""
    recipe = shelf.load("rnnsearch50")
    network = builder.network(recipe, source_vocabulary_size=30_001, target_vocabulary_size=30_001)
    network.build()
    assert network.count_params() == 84_349_101


def test_luong_s_best_system_has_the_parameters_that_its_shapes_say() -> None:
    """Two tables of words and the output; 4 layers a side; feeding; W_c; W_a; W_p and v_p (sections 3 and 4)."""
    places = ("encoder.units", "encoder.embedding_size", "decoder.units", "decoder.embedding_size")
    sizes = [f"model.{place}=10" for place in (*places, "decoder.attention.window.units")]
    network = builder.network(shelf.load("luong_local_p", overrides=sizes), 50, 60)
    network.build()
    words, layer, square = (50 + 60 + 60) * 10, (10 + 10) * 4 * 10, 10 * 10
    assert network.count_params() == words + (4 + 4) * layer + 4 * square + 2 * square + square + (square + 10)


def test_the_parts_of_two_papers_compose() -> None:
    """A local window under RNNsearch's decoder, an additive score under Luong's."""
    narrow = ["model.encoder.units=6", "model.decoder.units=6", "model.encoder.embedding_size=5"]
    attentions = {
        "rnnsearch50": ["kind=local", "window.kind=predictive", "window.units=3", "score.kind=general"],
        "luong_local_p": ["score.kind=additive", "score.units=4"],
    }
    for model, attention in attentions.items():
        overrides = [*narrow, *(f"model.decoder.attention.{override}" for override in attention)]
        network = builder.network(
            shelf.load(model, "small", overrides), source_vocabulary_size=11, target_vocabulary_size=13
        )
        logits = network((np.array([[4, 5, 6]], np.int32), np.array([[4, 9]], np.int32)))
        assert np.isfinite(logits).all()


def test_a_tokenizer_gets_the_language_of_its_side() -> None:
    recipe = shelf.load("rnnsearch50", overrides=["source.language=cs", "source.tokenizer.lowercase=true"])
    tokenizer = builder.tokenizer(recipe.source)
    assert (tokenizer.language, tokenizer.lowercase) == ("cs", True)
