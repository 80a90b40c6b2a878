"""What the recipes of the zoo say, and what no recipe can say."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from tfnmt.errors import UserError
from tfnmt.zoo import shelf


def test_the_paper_profile_says_what_the_paper_says() -> None:
    recipe = shelf.load("rnnsearch50")
    parts = recipe.model_dump(serialize_as_any=True)
    assert parts["model"]["encoder"]["units"] == parts["model"]["decoder"]["units"] == 1000
    assert parts["model"]["encoder"]["embedding_size"] == parts["model"]["decoder"]["embedding_size"] == 620
    assert parts["model"]["decoder"]["readout"]["units"] == 500
    assert parts["training"]["optimizer"] == {
        "kind": "adadelta",
        "learning_rate": 1.0,
        "rho": 0.95,
        "epsilon": 1e-6,
        "lazy": False,
    }
    assert (recipe.training.clip_norm, recipe.training.normalization) == (1.0, "sum")
    batches = {"kind": "sentences", "batch_size": 80, "fetch": 20, "ascending": True}
    assert parts["corpus"]["batches"] == {**batches, "order": {"kind": "shuffled_once"}}
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


def test_the_luong_family_says_what_its_paper_says() -> None:
    """Luong et al. 2015, section 4.1."""
    recipe = shelf.load("luong_base")
    parts = recipe.model_dump(serialize_as_any=True)
    for side in (parts["model"]["encoder"], parts["model"]["decoder"]):
        assert (side["units"], side["embedding_size"], side["layers"], side["dropout"]) == (1000, 1000, 4, 0.0)
    assert (recipe.source.vocabulary_size, recipe.target.vocabulary_size) == (50_000, 50_000)
    assert recipe.corpus.maximum_length == 50
    batches = {"kind": "sentences", "batch_size": 128, "fetch": 100, "ascending": False}
    assert parts["corpus"]["batches"] == {**batches, "order": {"kind": "shuffled_once"}}
    assert (recipe.training.clip_norm, recipe.training.normalization) == (5.0, "sentence")

    def schedule(name: str) -> tuple[int | None, float, int]:
        training = shelf.load(name).training
        rate = training.optimizer.learning_rate
        return training.epochs, rate.learning_rate, rate.epochs  # type: ignore[union-attr, attr-defined]

    with_dropout = {name for name in shelf.names() if name.startswith("luong")} - {"luong_base", "luong_base_reverse"}
    assert {schedule(name) for name in ("luong_base", "luong_base_reverse")} == {(10, 1.0, 5)}
    assert {schedule(name) for name in with_dropout} == {(12, 1.0, 8)}


def test_each_of_the_luong_family_is_the_system_of_its_name() -> None:
    def system(name: str) -> tuple[bool, float, str, str, bool]:
        model = shelf.load(name).model_dump(serialize_as_any=True)["model"]
        encoder, decoder = model["encoder"], model["decoder"]
        attention = decoder["attention"] or {"kind": "", "score": {"kind": ""}}
        where = attention.get("window", attention)["kind"]
        assert encoder["dropout"] == decoder["dropout"]
        return (
            encoder["reverse_source"],
            decoder["dropout"],
            where,
            attention["score"]["kind"],
            decoder["input_feeding"],
        )

    names = [name for name in shelf.names() if name.startswith("luong")]
    assert {name.removeprefix("luong_"): system(name) for name in names} == {
        "base": (False, 0.0, "", "", False),
        "base_reverse": (True, 0.0, "", "", False),
        "base_reverse_dropout": (True, 0.2, "", "", False),
        "global_location": (True, 0.2, "global", "location", False),
        "global_location_feed": (True, 0.2, "global", "location", True),
        "global_dot": (True, 0.2, "global", "dot", True),
        "global_general": (True, 0.2, "global", "general", True),
        "global_concat": (True, 0.2, "global", "concat", True),
        "local_m_dot": (True, 0.2, "monotonic", "dot", True),
        "local_m": (True, 0.2, "monotonic", "general", True),
        "local_p_dot": (True, 0.2, "predictive", "dot", True),
        "local_p": (True, 0.2, "predictive", "general", True),
    }


def test_every_figure_of_luong_et_al_s_tables_is_there() -> None:
    """Luong et al. 2015, tables 1 and 4, English to German on newstest2014: perplexity, BLEU, BLEU without unknowns."""
    metrics = ("perplexity", "BLEU", "BLEU, unknown words replaced")
    published = {
        name.removeprefix("luong_"): [
            next((figure.value for figure in shelf.load(name).paper.figures if figure.metric == metric), None)  # type: ignore[union-attr]
            for metric in metrics
        ]
        for name in shelf.names()
        if name.startswith("luong")
    }
    assert published == {
        "base": [10.6, 11.3, None],
        "base_reverse": [9.9, 12.6, None],
        "base_reverse_dropout": [8.1, 14.0, None],
        "global_location": [7.3, 16.8, None],
        "global_location_feed": [6.4, 18.1, 19.3],
        "global_dot": [6.1, 18.6, 20.5],
        "global_general": [6.1, 17.3, 19.1],
        "global_concat": [6.7, None, None],
        "local_m_dot": [7.0, None, None],
        "local_m": [6.2, 18.6, 20.4],
        "local_p_dot": [6.6, 18.0, 19.6],
        "local_p": [5.9, 19.0, 20.9],
    }
    figures = shelf.load("luong_local_m_dot").paper.figures  # type: ignore[union-attr]
    assert [figure.above for figure in figures] == [True]


def test_every_figure_of_luong_et_al_s_other_tables_is_there() -> None:
    """Luong et al. 2015, table 3, German to English on newstest2015, and table 6, alignment error rates."""

    def of(name: str, metric: str, test_set: str) -> float | None:
        figures = shelf.load(name).paper.figures  # type: ignore[union-attr]
        found = (f for f in figures if f.metric.removesuffix(", trained without dropout") == metric)
        return next((f.value for f in found if f.test_set.startswith(test_set)), None)

    metrics = ("perplexity", "BLEU", "BLEU, unknown words replaced")
    names = [name for name in shelf.names() if name.startswith("luong")]
    german = "news-test-2015, German to English"
    table = {name.removeprefix("luong_"): [of(name, metric, german) for metric in metrics] for name in names}
    assert {name: row for name, row in table.items() if any(row)} == {
        "base_reverse": [14.3, 16.9, None],
        "global_location": [12.7, 19.1, None],
        "global_location_feed": [10.9, 20.1, None],
        "global_dot": [9.7, 22.8, 24.9],
    }
    rates = {name.removeprefix("luong_"): of(name, "AER", "508 sentences") for name in names}
    rates = {name: rate for name, rate in rates.items() if rate is not None}
    assert rates == {"global_location_feed": 0.39, "local_m": 0.34, "local_p": 0.36}


def test_the_transformers_say_what_their_paper_says() -> None:
    """Vaswani et al. 2017, table 3 and sections 5 and 6.1."""
    for name, units, heads, inner, dropout, kept in (
        ("transformer_base", 512, 8, 2048, 0.1, 5),
        ("transformer_big", 1024, 16, 4096, 0.3, 20),
    ):
        recipe = shelf.load(name)
        parts = recipe.model_dump(serialize_as_any=True)
        for side in ("encoder", "decoder"):
            found = parts["model"][side]
            assert (found["units"], found["layers"], found["heads"], found["head_size"]) == (units, 6, heads, 64)
            assert (found["feed_forward_units"], found["dropout"]) == (inner, dropout)
        optimizer = parts["training"]["optimizer"]
        assert (optimizer["beta_1"], optimizer["beta_2"], optimizer["epsilon"]) == (0.9, 0.98, 1e-9)
        assert (optimizer["learning_rate"]["units"], optimizer["learning_rate"]["warmup_steps"]) == (units, 4000)
        assert parts["model"]["output"]["label_smoothing"] == 0.1
        assert recipe.training.keep_checkpoints == kept
        assert (recipe.decoding.beam_size, parts["decoding"]["search"]["length_normalization"]) == (
            4,
            {"kind": "gnmt", "exponent": 0.6},
        )


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("target.vocabulary_size=30000", "joint_vocabulary: one vocabulary for both sides needs"),
        ("joint_vocabulary=false", "model.share_source_embedding: one table of word vectors needs joint_vocabulary"),
    ],
)
def test_a_joint_vocabulary_is_one_for_both_sides(override: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        shelf.load("transformer_base", overrides=[override])


def test_a_length_normalization_is_a_number_or_a_rule() -> None:
    key = "decoding.search.length_normalization"
    assert shelf.load("rnnsearch50", overrides=[f"{key}=0.5"]).decoding.search.length_normalization == 0.5  # type: ignore[attr-defined]
    with pytest.raises(UserError, match="greater than or equal to 0"):
        shelf.load("rnnsearch50", overrides=[f"{key}=-1"])
    with pytest.raises(UserError, match=r"no kind 'gnm' here\. Did you mean 'gnmt'"):
        shelf.load("rnnsearch50", overrides=[f"{key}.kind=gnm"])
