"""What a person reads about a corpus before training."""

from __future__ import annotations

import io
import json
from collections import Counter

import pytest
from rich.console import Console

from tfnmt.corpora import corpus_report
from tfnmt.corpora.corpus_report import CorpusReport, FrequentWords, SideReport


def report() -> CorpusReport:
    made = CorpusReport(read=2_000, kept=1_500)
    for line in range(1, 500):
        made.skip("source longer than 50 tokens", f"train.en:{line}")
    made.skip("blank target", "train.en:1999")
    made.source = SideReport(10_000, 100, [("Dog", 60), ("[/Cat]", 40)])
    made.target = SideReport(12_000, 0)
    made.add_control_characters(3, "train.en:7")
    return made


# a word that looks like rich's markup is shown as it is
def test_table_says_what_was_kept_and_why_the_rest_was_not() -> None:
    written = io.StringIO()
    Console(width=120, file=written).print(report().table("Training text"))
    lines = [" ".join(line.replace("│", " ").split()) for line in written.getvalue().splitlines()]
    assert lines[0] == "Training text"
    for row in (
        "pairs read 2,000",
        "pairs skipped: source longer than 50 tokens 499 24.9% train.en:1",
        "pairs skipped: blank target 1 0.1% train.en:1999",
        "pairs kept 1,500 75.0%",
        "source tokens 10,000",
        "source tokens unknown 100 1.0% Dog, [/Cat]",
        "target tokens unknown 0 0.0%",
        "control characters, read as spaces 3 train.en:7",
    ):
        assert row in lines


def test_long_path_keeps_its_line_number() -> None:
    made = CorpusReport(read=2, kept=1)
    made.skip("blank source", "/a/" + "long/" * 30 + "train.en:1234567")
    written = io.StringIO()
    Console(width=80, file=written).print(made.table())
    last_column = "".join(line.split("│")[-2].strip() for line in written.getvalue().splitlines() if "│" in line)
    assert "train.en:1234567" in last_column


def test_survives_json() -> None:
    again = CorpusReport.from_json(json.loads(json.dumps(report().to_json())))
    assert again == report()
    assert again.skipped["source longer than 50 tokens"].examples == [f"train.en:{line}" for line in range(1, 6)]


# C21: more than 20 % of the tokens unknown
@pytest.mark.parametrize(("unknown", "warned"), [(200, False), (201, True)])
def test_warning_over_a_fifth_of_unknown_tokens(unknown: int, warned: bool) -> None:
    made = CorpusReport(read=10, kept=10, target=SideReport(1_000, unknown, [("Haus", 90)]))
    assert [("target tokens are unknown" in warning, "'Haus' (90)" in warning) for warning in made.warnings()] == [
        (True, True)
    ] * warned


def test_warning_when_most_pairs_are_gone() -> None:
    made = report()
    assert made.warnings() == []
    made.kept = 900
    (warning,) = made.warnings()
    assert "Only 900 of 2,000 pairs are kept: 499 source longer than 50 tokens; 1 blank target." in warning
    assert "corpus.maximum_length" in warning


def test_frequent_words_survive_the_forgetting_of_rare_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus_report, "_CANDIDATES", 50)
    words = [word for number in range(2_000) for word in (f"rare{number}", f"often{number % 7}")]
    counted = FrequentWords()
    for start in range(0, len(words), 40):
        counted.update(words[start : start + 40])
    exact = Counter(word for word in words if word.startswith("often"))
    assert counted.most_frequent() == sorted(exact.items(), key=lambda entry: (-entry[1], entry[0]))[:5]
