"""A benchmark at two commits in turns, which says whether a change made the code faster.

    python -m benchmarks.two_commits HEAD~1 training_speed
    python -m benchmarks.two_commits v0.1.0 training_speed --turns 9 --precision mixed_bfloat16 --batches 40

The other commit is checked out into a directory that is removed at the end. Beside it stand the files of this one, with
what is not committed of them. Both run in each turn, each in a process of its own, in changing order, so that the mood
of the machine falls on both. Options that are not named here are the benchmark's. It may be any whose output holds one
figure that `--figure` finds.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.corpora import DATA, REPOSITORY


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit", help="the code to compare with")
    parser.add_argument("benchmark", help="module of this directory")
    parser.add_argument("--turns", type=int, default=6)
    parser.add_argument(
        "--figure",
        default=r"([\d,.]+) real target words a second",
        help="regular expression whose first group is the figure  [default: %(default)s]",
    )
    options, arguments = parser.parse_known_args()
    with checked_out(options.commit) as other:
        trees = {options.commit: other, "this": REPOSITORY}
        found: dict[str, list[float]] = {name: [] for name in trees}
        for turn in range(options.turns):
            for name in list(trees)[:: -1 if turn % 2 else 1]:
                found[name].append(figure(trees[name], options.benchmark, arguments, options.figure))
            print(f"turn {turn + 1}: " + ", ".join(f"{n} {values[-1]:,.6g}" for n, values in found.items()))
    medians = {name: statistics.median(values) for name, values in found.items()}
    print("\n| code | median | lowest | highest | times the other |\n| --- | ---: | ---: | ---: | ---: |")
    for name, values in found.items():
        ratio = medians[name] / medians[options.commit]
        print(f"| {name} | {medians[name]:,.6g} | {min(values):,.6g} | {max(values):,.6g} | {ratio:.3f} |")


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """A working tree of the commit, for as long as the context lasts."""
    with tempfile.TemporaryDirectory() as place:
        tree = Path(place, "tree")
        added = subprocess.run(
            ["git", "worktree", "add", "--detach", "--quiet", str(tree), commit], cwd=REPOSITORY, check=False
        )
        if added.returncode:
            raise SystemExit(f"git knows no commit {commit!r}: name one as git rev-parse does.")
        try:
            yield tree
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(tree)], cwd=REPOSITORY, check=True)


def figure(tree: Path, benchmark: str, arguments: Sequence[str], pattern: str) -> float:
    """What the benchmark of that tree prints."""
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{benchmark}", *arguments],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree), "TFNMT_DATA": str(DATA)},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"benchmarks.{benchmark} ended with {done.returncode} in {tree}; see above.")
    found = re.findall(pattern, done.stdout)
    if len(found) != 1:
        raise SystemExit(f"--figure {pattern!r} found {len(found)} figures, not one, in:\n{done.stdout}")
    return float(found[0].replace(",", ""))


if __name__ == "__main__":
    main()
