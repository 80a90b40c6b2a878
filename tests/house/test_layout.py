"""One noun, one file, one mirrored test; no file too long to read; nothing private of TensorFlow or Keras."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.processes import ROOT

MODULES = sorted(path.relative_to(ROOT) for path in (ROOT / "tfnmt").rglob("*.py") if path.name != "__init__.py")
TEXTS = sorted(
    path.relative_to(ROOT)
    for pattern in ("*.md", "*.toml", "Makefile", ".ci/*", "docs/**/*.md", "zoo/*", "export/**/*", "benchmarks/**/*.py",
                    "tfnmt/**/*.py", "tests/**/*.py")
    for path in ROOT.glob(pattern)
    if path.is_file() and "__pycache__" not in path.parts
)  # fmt: skip
LINES = 400
# Records and helpers of one neighbour, with the test that goes through them. The list only shrinks.
TESTED_WITH_A_NEIGHBOUR = {
    Path("tfnmt") / module: Path("tests") / test
    for module, test in {
        "__main__.py": "zoo/test_main.py",
        "decoding/beam.py": "decoding/test_beam_search.py",
        "decoding/hypotheses.py": "decoding/test_beam_search.py",
        "decoding/translation.py": "decoding/test_translator.py",
        "export/signatures.py": "export/test_saved_model.py",
        "layers/transformer_layer.py": "layers/test_transformer_encoder_layer.py",
        "training/interruption.py": "training/test_trainer.py",
        "training/normalization.py": "training/test_step.py",
        "training/observer.py": "training/test_trainer.py",
        "training/state.py": "training/test_checkpoints.py",
        "training/writing.py": "training/test_checkpoints.py",
        "zoo/lines.py": "zoo/test_translate.py",
        "zoo/measures.py": "zoo/test_evaluate.py",
        "zoo/pairs.py": "zoo/test_texts.py",
        "zoo/showing.py": "zoo/test_train.py",
        "zoo/training_run.py": "zoo/test_train.py",
    }.items()
}
PRIVATE = re.compile(
    r"tensorflow\.python|tf\.python\b|keras\.src|tensorflow_text\.python|compat\.v1|\btf\.experimental\.numpy"
)
# Made up of halves, so that this file does not name them either.
THIS_MACHINE = re.compile("/" + r"work/(main|shared)\b|(?<![\w.])/" + r"tmp/")


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_every_module_has_its_test(module: Path) -> None:
    room = module.relative_to("tfnmt")
    mirrored = ROOT / "tests" / room.parent / f"test_{room.name}"
    # Declarations and the like: small modules of one package inside a room, held together by one test.
    together = ROOT / "tests" / room.parent.parent / f"test_{room.parent.name}.py"
    inside_a_room = len(room.parts) == 3
    if module in TESTED_WITH_A_NEIGHBOUR:
        assert not mirrored.is_file(), f"{module} has a test of its own: take it off the list."
        mirrored = ROOT / TESTED_WITH_A_NEIGHBOUR[module]
    assert mirrored.is_file() or (inside_a_room and together.is_file())


@pytest.mark.parametrize("text", TEXTS, ids=str)
def test_a_file_can_be_read_in_one_sitting(text: Path) -> None:
    lines = (ROOT / text).read_text(encoding="utf-8").splitlines()
    assert text.suffix not in {".py", ".toml"} or len(lines) <= LINES
    assert not [line for line in lines if THIS_MACHINE.search(line)]


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_only_public_interfaces_are_used(module: Path) -> None:
    assert not PRIVATE.findall((ROOT / module).read_text(encoding="utf-8"))


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_what_is_public_is_documented(module: Path) -> None:
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), node.name
