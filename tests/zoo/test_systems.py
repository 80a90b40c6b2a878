"""What commands compare has a name and a kind."""

from __future__ import annotations

from pathlib import Path

from tfnmt.zoo.systems import System


def test_a_name_may_be_given(tmp_path: Path) -> None:
    assert System.named("best=runs/one") == System("runs/one", "best")
    assert System.named("runs/one").name == "runs/one" and System.named("best=runs/one").name == "best"
    odd = tmp_path / "a=b"
    odd.touch()
    assert System.named(str(odd)) == System(str(odd))  # a path that is there is a path


def test_a_file_of_translations_is_told_from_a_model(tmp_path: Path) -> None:
    for name in ("out.de", "translator.keras"):
        (tmp_path / name).touch()
    assert System(str(tmp_path / "out.de")).is_text
    assert not System(str(tmp_path / "translator.keras")).is_text
    assert not System(str(tmp_path)).is_text
