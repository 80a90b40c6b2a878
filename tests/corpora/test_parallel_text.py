"""Line n of one file with line n of the other, or a clear refusal."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tfnmt.corpora.parallel_text import ParallelText, TabSeparatedText
from tfnmt.errors import UserError

DATA = Path(os.environ.get("TFNMT_DATA", Path(__file__).parents[3] / "shared" / "data"))


def write(path: Path, *lines: str) -> Path:
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8", newline="\n")
    return path


def test_pairs_know_their_file_and_line(tmp_path: Path) -> None:
    sources = [write(tmp_path / "a.en", "one", "two"), write(tmp_path / "b.en", "three")]
    targets = [write(tmp_path / "a.de", "eins", "zwei"), tmp_path / "b.de.gz"]
    targets[1].write_bytes(gzip.compress(b"drei\n"))
    pairs = ParallelText(sources, targets)
    expected = [("one", "eins", "a.en:1"), ("two", "zwei", "a.en:2"), ("three", "drei", "b.en:1")]
    assert [(pair.source, pair.target, str(pair.where)) for pair in pairs] == [
        (source, target, f"{tmp_path}/{where}") for source, target, where in expected
    ]
    assert list(pairs.sources()) == ["one", "two", "three"]
    assert list(pairs.targets()) == ["eins", "zwei", "drei"]


# C07
@pytest.mark.parametrize(("sources", "targets"), [(10, 9), (9, 10), (0, 3), (3, 0)])
def test_unequal_lengths_name_both_files_and_both_counts(tmp_path: Path, sources: int, targets: int) -> None:
    pairs = ParallelText(write(tmp_path / "train.en", *["a"] * sources), write(tmp_path / "train.de", *["b"] * targets))
    with pytest.raises(UserError, match=rf"train\.en has {sources} lines and .*train\.de has {targets}"):
        list(pairs)


def test_second_of_joined_files_is_checked_too(tmp_path: Path) -> None:
    good = write(tmp_path / "good", "a")
    with pytest.raises(UserError, match=r"short has 1 lines and .*long has 2"):
        list(ParallelText([good, write(tmp_path / "short", "a")], [good, write(tmp_path / "long", "a", "b")]))


def test_empty_files_are_refused(tmp_path: Path) -> None:
    empty = write(tmp_path / "empty.txt")
    with pytest.raises(UserError, match=r"empty\.txt.* empty"):
        list(ParallelText(empty, empty))
    with pytest.raises(UserError, match=r"empty\.txt is empty"):
        list(TabSeparatedText(empty))


def test_each_source_file_needs_a_target_file(tmp_path: Path) -> None:
    file = write(tmp_path / "file", "a")
    with pytest.raises(UserError, match=r"2 source files .* and 1 target files"):
        ParallelText([file, file], [file])
    with pytest.raises(UserError, match=r"0 source files \(none\)"):
        ParallelText([], [])


# C08: blank lines stay where they are; it is pairs that the corpus drops
def test_blank_lines_do_not_shift_the_pairs(tmp_path: Path) -> None:
    pairs = ParallelText(write(tmp_path / "en", "a", "", "c", "d"), write(tmp_path / "de", "A", "B", "", "D"))
    assert [(pair.source, pair.target) for pair in pairs] == [("a", "A"), ("", "B"), ("c", ""), ("d", "D")]


# C04
def test_nul_bytes_do_not_change_the_count(tmp_path: Path) -> None:
    pairs = ParallelText(write(tmp_path / "en", "x", "a\x00b c", "y"), write(tmp_path / "de", "X", "A", "Y"))
    assert [(pair.source, pair.control_characters) for pair in pairs] == [("x", 0), ("a b c", 1), ("y", 0)]


def test_tab_separated_columns(tmp_path: Path) -> None:
    path = write(tmp_path / "text.tsv", "one\teins\tCC-BY", "two\tzwei\tCC-BY", "", "\tdrei\tCC-BY")
    pairs = ParallelText.from_tsv(path)
    assert [(pair.source, pair.target, pair.where.line) for pair in pairs] == [
        ("one", "eins", 1),
        ("two", "zwei", 2),
        ("", "", 3),
        ("", "drei", 4),
    ]
    assert list(pairs.targets()) == ["eins", "zwei", "", "drei"]


@pytest.mark.parametrize(
    ("line", "message"), [("no tab here", "line 2 has no tab"), ("a\tb\tc", "line 2 has 3 columns.* have 2")]
)
def test_tab_separated_faults_name_the_line(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        list(TabSeparatedText([write(tmp_path / "text.tsv", "one\teins", line)]))


def test_fingerprint_changes_with_the_files(tmp_path: Path) -> None:
    pairs = ParallelText(write(tmp_path / "en", "a"), write(tmp_path / "de", "b"))
    before = pairs.fingerprint
    assert ParallelText(tmp_path / "en", tmp_path / "de").fingerprint == before
    assert ParallelText(tmp_path / "de", tmp_path / "en").fingerprint != before
    write(tmp_path / "de", "bb")
    assert pairs.fingerprint != before


@pytest.mark.parametrize(
    ("sources", "targets", "count"),
    [
        ("multi30k/train.en.gz", "multi30k/train.de.gz", 29_000),  # one line holds a tab
        ("wmt/newstest2014.en-fr.en", "wmt/newstest2014.en-fr.fr", 3_003),
        ("ntrex/test.en", "ntrex/test.ro", 1_997),
    ],
)
def test_real_text_has_the_counts_that_its_description_tells(sources: str, targets: str, count: int) -> None:
    if not DATA.is_dir():
        pytest.skip(f"no corpora in {DATA}; name their directory in TFNMT_DATA")
    pairs = list(ParallelText(DATA / sources, DATA / targets))
    assert len(pairs) == count
    assert all(pair.source.strip() and pair.target.strip() and not pair.control_characters for pair in pairs)
    assert pairs[-1].where.line == count


@settings(deadline=None)  # it writes files
@given(st.lists(st.tuples(st.text("ab \u2028\u0085\x0c\x00"), st.text("xyzü\u3000")), min_size=1, max_size=30))
def test_every_pair_comes_back_from_either_kind_of_file(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("text")
    sources, targets = zip(*pairs, strict=True)
    files = ParallelText(write(folder / "source", *sources), write(folder / "target", *targets))
    table = TabSeparatedText(write(folder / "table.tsv", *(f"{source}\t{target}" for source, target in pairs)))
    white = str.maketrans("\u0085\x0c\x00", "   ")
    expected = [(source.translate(white), target) for source, target in pairs]
    assert [(pair.source, pair.target) for pair in files] == expected
    blank = ("", "")
    assert [(pair.source, pair.target) for pair in table] == [
        blank if not (source + target).strip() else (source, target) for source, target in expected
    ]
