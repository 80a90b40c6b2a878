"""The files of a corpus are found by their names, and a missing one is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfnmt.errors import UserError
from tfnmt.zoo import texts


def fill(directory: Path, *names: str) -> str:
    for name in names:
        (directory / name).touch()
    return str(directory)


def test_a_directory_s_files_are_found_compressed_or_not(tmp_path: Path) -> None:
    directory = fill(
        tmp_path, "train.en.gz", "train.de.gz", "valid.en", "valid.de", "test_2017.en", "test_2017.de", "test_2016.en",
        "test_2016.de", "test_2016.fr", "train.source.gz", "test.align", "README.md",
    )  # fmt: skip
    found = texts.from_directory(directory, "en", "de")
    assert found["train"] == {"source": [f"{directory}/train.en.gz"], "target": [f"{directory}/train.de.gz"]}
    assert found["valid"] == {"source": [f"{directory}/valid.en"], "target": [f"{directory}/valid.de"]}
    assert found["test"]["target"] == [f"{directory}/test_2016.de", f"{directory}/test_2017.de"]


def test_development_text_is_validation_text(tmp_path: Path) -> None:
    directory = fill(tmp_path, "train.en", "train.de", "dev.en", "dev.de")
    found = texts.from_directory(directory, "en", "de")
    assert found["valid"]["source"] == [f"{directory}/dev.en"]
    assert "test" not in found


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("train.en", "train.de", "valid.en"), r"valid\.en' has no translation beside it: 'valid\.de' is missing"),
        (("train.en", "train.de"), r"holds no valid\.en or dev\.en .* It holds: train\.de, train\.en\."),
        (("train.en", "valid.en", "train.de.bz2"), r"'train\.de' is missing. Did you mean 'train\.(en|de\.bz2)'"),
    ],
)
def test_a_missing_file_is_named(tmp_path: Path, names: tuple[str, ...], message: str) -> None:
    with pytest.raises(UserError, match=message):
        texts.from_directory(fill(tmp_path, *names), "en", "de")


def test_a_missing_directory_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no directory '.*nowhere'"):
        texts.from_directory(str(tmp_path / "nowhere"), "en", "de")


def test_languages_are_a_pair_or_one_source_and_several_targets() -> None:
    assert texts.languages("en-de") == ("en", ("de",))
    assert texts.languages("en-de,fr") == ("en", ("de", "fr"))
    for wrong in ("en", "en-", "-de", "en-de-fr", "en-de,", "en,de"):
        with pytest.raises(UserError, match="no pair of languages"):
            texts.languages(wrong)


def test_named_files_come_in_pairs() -> None:
    assert texts.named("test", [], [], []) == {}
    assert texts.named("train", ["a"], ["b"], ["c"]) == {"train": {"source": ["a"], "target": ["b"], "tsv": ["c"]}}
    with pytest.raises(UserError, match="--train-source names 2 files and --train-target 1"):
        texts.named("train", ["a", "b"], ["c"], [])
