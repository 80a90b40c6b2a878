"""What is shipped works elsewhere: the wheel made from the sources, and the one made from the source distribution."""

from __future__ import annotations

import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.processes import ROOT, python
from tfnmt.zoo import shelf


def build(target: str, sources: Path, directory: Path) -> Path:
    python("-m", "hatchling", "build", "-t", target, "-d", directory, cwd=sources).output()
    (made,) = directory.iterdir()
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def wheel_of_sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sdist = build("sdist", ROOT, tmp_path_factory.mktemp("sdist"))
    unpacked = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(unpacked, filter="data")
    (sources,) = unpacked.iterdir()
    return build("wheel", sources, tmp_path_factory.mktemp("wheel_of_sdist"))


@pytest.mark.parametrize("package", ["wheel", "wheel_of_sdist"])
def test_an_installed_package_has_its_zoo(package: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    site = tmp_path / "site"
    made = request.getfixturevalue(package)
    python("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", site, made, cwd=tmp_path).output()
    away = {"PYTHONPATH": str(site)}
    where = python("-c", "import tfnmt; print(tfnmt.__file__)", cwd=tmp_path, **away).output()
    assert Path(where.strip()).is_relative_to(site)
    listed = python("-m", "tfnmt", "list", cwd=tmp_path, **away).output()
    assert [line.split()[0] for line in listed.splitlines()[1:]] == shelf.names()
    show = ["-m", "tfnmt", "show", "rnnsearch50", "--profile", "small"]
    assert python(*show, cwd=tmp_path, **away).output() == python(*show).output()
    assert (site / "bin" / "tfnmt").is_file()


def test_both_wheels_hold_the_same_files(wheel: Path, wheel_of_sdist: Path) -> None:
    assert _names(wheel) == _names(wheel_of_sdist)
    assert {f"tfnmt/zoo/recipes/{name}.toml" for name in shelf.names()} <= _names(wheel)
    assert not any(name.startswith(("tests/", "zoo/", "docs/")) for name in _names(wheel))


def _names(wheel: Path) -> set[str]:
    return set(ZipFile(wheel).namelist())
