from __future__ import annotations

import os
import signal

import pytest

from tfnmt.errors import UserError
from tfnmt.export.version_directory import new_version, next_version, version_of, versions


# C88: whole numbers, increasing.
def test_versions_count_up(tmp_path):
    base = tmp_path / "models" / "translator"
    for expected in (1, 2):
        with new_version(base) as aside:
            (aside / "saved_model.pb").write_bytes(b"x")
            assert version_of(aside) == expected
        assert (base / str(expected) / "saved_model.pb").is_file()
    with new_version(base, "20260101"):
        pass
    assert versions(base) == [1, 2, 20260101]
    assert next_version(base) == 20260102


def test_other_names_are_no_versions(tmp_path):
    for name in ("3", "007", "v4", "5.0", "-6", "७"):
        (tmp_path / name).mkdir()
    (tmp_path / "8").write_text("a file")
    assert versions(tmp_path) == [3]


# C88: what a server would not find is refused.
@pytest.mark.parametrize("wanted", ["v1", "1.0", "-1", "0", "", "007", "²"])
def test_version_that_is_no_whole_number_is_refused(tmp_path, wanted):
    with pytest.raises(UserError, match="cannot be the version"):
        next_version(tmp_path, wanted)


def test_version_that_would_never_be_served_is_refused(tmp_path):
    (tmp_path / "5").mkdir()
    for wanted in (4, 5):
        with pytest.raises(UserError, match=r"already holds version 5.*Use 6 or more"):
            next_version(tmp_path, wanted)


# C88: a server that scans the directory meanwhile finds nothing with a numeric name.
def test_version_appears_only_when_complete(tmp_path):
    with new_version(tmp_path) as aside:
        (aside / "half").write_text("…")
        assert versions(tmp_path) == []
    assert versions(tmp_path) == [1]
    assert [path.name for path in tmp_path.iterdir()] == ["1"]


def test_failure_leaves_nothing_behind(tmp_path):
    with pytest.raises(RuntimeError), new_version(tmp_path) as aside:
        (aside / "half").write_text("…")
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def test_kill_leaves_no_version(tmp_path):
    child = os.fork()
    if not child:
        with new_version(tmp_path) as aside:
            (aside / "half").write_text("…")
            os.kill(os.getpid(), signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 1 and versions(tmp_path) == []
    with new_version(tmp_path):
        pass
    assert versions(tmp_path) == [1]


def test_two_exports_at_once_do_not_mix(tmp_path):
    with pytest.raises(UserError, match="has appeared"), new_version(tmp_path) as slow:
        (slow / "who").write_text("slow")
        with new_version(tmp_path) as quick:
            (quick / "who").write_text("quick")
    assert (tmp_path / "1" / "who").read_text() == "quick"


def test_another_user_may_read_a_version(tmp_path):
    before = os.umask(0o022)
    try:
        with new_version(tmp_path):
            pass
    finally:
        os.umask(before)
    assert (tmp_path / "1").stat().st_mode & 0o777 == 0o755


def test_base_that_is_a_file_is_refused(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(UserError, match="Choose another directory"), new_version(tmp_path / "file"):
        pass
