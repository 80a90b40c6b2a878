"""A run of several languages: learnt, asked by every route, and given one language more."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.zoo.several_languages import NARROW, QUICK, SENTENCES, into, overrides, succeeded, write
from tfnmt.errors import UserError
from tfnmt.zoo import multi_task_run, score, translate


def test_a_run_is_judged_by_the_mean_of_its_languages() -> None:
    scores = [lambda: {"bleu de": 30.0}, lambda: {"bleu fr": 50.0}]
    assert multi_task_run._with_mean(scores)() == {"bleu de": 30.0, "bleu fr": 50.0, "bleu": 40.0}


def test_a_language_is_not_added_to_just_anything() -> None:
    with pytest.raises(UserError, match="translator of one network only"):
        multi_task_run._several(object())
    assert multi_task_run._several(None) is None


@pytest.mark.slow
def test_each_language_is_learnt_asked_for_and_kept_when_another_is_added(tmp_path: Path) -> None:  # C41
    data = write(tmp_path)
    first, second, files = str(tmp_path / "first"), str(tmp_path / "second"), ["--data", str(data)]
    train = ["train", "multitask", "--profile", "small", *files, *overrides(*NARROW, *QUICK)]
    said = succeeded(*train, "--languages", "en-de,fr", "--run", first, *overrides("training.steps=300"))
    assert "into de, 64 sentences" in said and f"tfnmt translate {first} --to de" in said

    source = str(data / "test.en")

    def answers(model: str, language: str) -> list[str]:
        result = CliRunner().invoke(translate.command, [model, source, "--to", language])
        assert result.exit_code == 0, result.output
        return result.stdout.splitlines()

    def scores(model: str, language: str) -> str:
        options = ["--source", source, "--target", str(data / "test.de"), "--to", language]
        return CliRunner().invoke(score.command, [model, *options]).stdout

    for language in ("de", "fr"):
        right = [found == into(language, line) for found, line in zip(answers(first, language), SENTENCES, strict=True)]
        assert sum(right) > 0.9 * len(right)
    for options, message in (([], "into de, fr: say into which"), (["--to", "it"], "into 'it', but into de, fr")):
        refused = CliRunner().invoke(translate.command, [first, source, *options])
        assert refused.exit_code == 1 and message in refused.stderr

    added = ["--start", first, "--languages", "en-cs", "--run", second, *overrides("training.steps=200")]
    succeeded(*train, *added)
    assert sum(a == into("cs", b) for a, b in zip(answers(second, "cs"), SENTENCES, strict=True)) > 57
    for language in ("de", "fr"):
        assert answers(second, language) == answers(first, language)
        assert scores(second, language) == scores(first, language) != ""
    nothing = ["--start", second, "--languages", "en-cs", "--run", str(tmp_path / "third")]
    with pytest.raises(AssertionError, match="there is nothing to add"):
        succeeded(*train, *nothing)

    succeeded("export", second, str(tmp_path / "serving"))
    from tfnmt.export import load

    exported = load(tmp_path / "serving")
    assert exported.languages == ("cs", "de", "fr")
    to = [("de", "fr", "cs")[number % 3] for number in range(len(SENTENCES))]
    by_language = {language: answers(second, language) for language in exported.languages}
    expected = [by_language[language][number] for number, language in enumerate(to)]
    assert exported.translate(SENTENCES, to=to) == expected
