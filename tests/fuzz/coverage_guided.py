"""Lets libFuzzer look for inputs that reach new lines of one parser, by the properties of `test_inputs.py`.

    python -m tests.fuzz.coverage_guided recipes -runs=20000

The first argument is the name of a property without `test_`; the rest are libFuzzer's. It ends with an error at the
first input that breaks the property. Needs atheris: `pip install '.[fuzz]'`.
"""

from __future__ import annotations

import sys

import atheris

PARSERS = ["tfnmt.zoo", "tfnmt.corpora.parallel_text", "tfnmt.corpora.text_file", "tfnmt.text.vocabulary",
           "tfnmt.text.lexicon", "tfnmt.text.text_lines"]  # fmt: skip


def main(name: str, options: list[str]) -> None:
    with atheris.instrument_imports(include=PARSERS):
        from tests.fuzz import test_inputs
    fuzz_one_input = getattr(test_inputs, f"test_{name}").hypothesis.fuzz_one_input
    atheris.Setup([sys.argv[0], *options], fuzz_one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
