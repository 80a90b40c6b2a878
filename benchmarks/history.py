"""What the benchmarks measured, through the history of the code.

    python -m benchmarks.history              # draws docs/performance_history.png, prints the table of the page
    python -m benchmarks.history decoding     # only figures whose name begins so

Each benchmark that is followed calls `record` when it ends: one line of `benchmarks/history.jsonl` a measurement, with
the day, the commit, the machine and the figures by name. A figure that depends on the machine's mood is recorded as a
ratio to something measured in the same minutes; so a line of the plot that falls is a slow-down of the code. Commit the
file with the change that was measured.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import time
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from tfnmt.processors import processors

ROOT = Path(__file__).parents[1]
FILE = ROOT / "benchmarks" / "history.jsonl"
PLOT = ROOT / "docs" / "performance_history.png"


def record(benchmark: str, figures: Mapping[str, float]) -> None:
    """Adds one measurement: `record("decoding_peers", {"beam 5, float32, ratio to Joey NMT": 4.2})`."""
    line = {
        "date": time.strftime("%Y-%m-%d %H:%M", time.gmtime()),
        "commit": commit(),
        "machine": f"{platform.machine()}, {processors()} processors",
        "benchmark": benchmark,
        "figures": {name: float(f"{value:.4g}") for name, value in figures.items()},
    }
    with FILE.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def commit() -> str:
    """Short hash of the code that ran, with a plus sign where files had been changed since."""

    def git(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", "tfnmt")
    return git("rev-parse", "--short", "HEAD") + ("+" if changed else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("beginning", nargs="?", default="", help="of the names of the benchmarks to show")
    options = parser.parse_args()
    lines = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()] if FILE.exists() else []
    if not lines:
        raise SystemExit(f"Nothing is recorded in {FILE.relative_to(ROOT)}: run a benchmark of docs/performance.md.")
    series: dict[str, list[tuple[str, str, float]]] = defaultdict(list)
    for line in lines:
        if line["benchmark"].startswith(options.beginning):
            for name, value in line["figures"].items():
                series[f"{line['benchmark']}: {name}"].append((line["date"], line["commit"], value))
    print("| figure | first | | last | | best |\n| --- | ---: | --- | ---: | --- | ---: |")
    for name, points in series.items():
        (first_date, first_commit, first), (last_date, last_commit, last) = points[0], points[-1]
        values = [value for _, _, value in points]
        best = min(values) if _is_time(name) else max(values)
        ends = f"| {first:g} | {first_date}, `{first_commit}` | {last:g} | {last_date}, `{last_commit}` | {best:g} |"
        print(f"| {name} {ends}")
    _plot(series)


def _is_time(name: str) -> bool:
    """Whether less is better: names end in their unit."""
    return name.endswith((" us", " ms", " s", " MB"))


def _plot(series: Mapping[str, list[tuple[str, str, float]]]) -> None:
    """Every figure that was measured more than once, relative to the first time, upwards where it is better."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.ticker import MaxNLocator

    followed = {name: points for name, points in series.items() if len(points) > 1}
    figure, axes = pyplot.subplots(figsize=(9, 0.5 + 0.28 * max(len(followed), 10)))
    for name, points in followed.items():
        values = [value for _, _, value in points]
        relative = [values[0] / value if _is_time(name) else value / values[0] for value in values]
        axes.plot(range(1, len(points) + 1), relative, marker="o", label=name)
    axes.axhline(1.0, color="grey", linewidth=0.8)
    axes.set(xlabel="measurement", ylabel="times as good as the first")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if followed:
        axes.legend(fontsize="x-small", loc="upper left", bbox_to_anchor=(1.0, 1.0))
    figure.savefig(PLOT, dpi=100, bbox_inches="tight")


if __name__ == "__main__":
    main()
