"""Pictures of the papers: attention matrices, BLEU against sentence length, learning curves.

Each function returns a matplotlib `Figure` that belongs to nobody: no window, no global state. `figure.savefig(path)`
writes it to a file, `to_png` turns it into the bytes that TensorBoard shows.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from itertools import cycle

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike

from tfnmt.errors import UserError
from tfnmt.evaluation.labels import Labels
from tfnmt.evaluation.lengths import LengthGroup
from tfnmt.evaluation.links import GoldLinks

END_LABEL = "⟨end⟩"
_CELL_INCHES = 0.3
_LARGEST_INCHES = 24.0
_SMALLEST_LABEL_POINTS = 5.0
_LONGEST_LABEL = 24


def attention_matrix(
    source_tokens: Sequence[str],
    target_tokens: Sequence[str],
    weights: ArrayLike,
    gold: GoldLinks | None = None,
    title: str = "",
) -> Figure:
    """An alignment as in figure 3 of Bahdanau et al. (2015): source words across, target words down, black 0, white 1.

    Args:
        source_tokens: words of the source sentence.
        target_tokens: words of its translation.
        weights: [target, source] attention weights, from 0 to 1. There may be one more row, column or both; they
            belong to the end symbol.
        gold: links by people, drawn in: sure ones with a solid frame, possible ones with a dotted frame (figure 7 of
            Luong et al. 2015).
        title: a line above the picture.

    Raises:
        UserError: the weights do not fit the words.
    """
    matrix = np.asarray(weights, dtype=np.float32)
    sources, targets = _with_end(source_tokens, target_tokens, matrix)
    labels = Labels([*sources, *targets, title])
    across, down = ([_shortened(labels.write(word)) for word in words] for words in (sources, targets))
    cell = min(_CELL_INCHES, _LARGEST_INCHES / max(*matrix.shape, 1))
    points = max(cell * 36, _SMALLEST_LABEL_POINTS)
    figure = _figure(cell * len(across) + _room(down, points), cell * len(down) + _room(across, points))
    axes = figure.add_subplot()
    if matrix.size:
        axes.imshow(matrix, cmap="gray", vmin=0.0, vmax=1.0, interpolation="nearest")
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    # Labels smaller than readable would run into each other: of very long sentences only every n-th word is named.
    every = max(1, round(_SMALLEST_LABEL_POINTS * 1.4 / (cell * 72)))
    axes.set_xticks(range(0, len(across), every), across[::every])
    axes.set_yticks(range(0, len(down), every), down[::every])
    labels.style(axes.get_xticklabels(), rotation=90, fontsize=points)
    labels.style(axes.get_yticklabels(), fontsize=points)
    if title:
        labels.style([axes.set_title(labels.write(title), fontsize=max(points, 9.0))])
    if gold:
        _draw_gold(axes, gold)
    return figure


def attention_heads(
    source_tokens: Sequence[str], target_tokens: Sequence[str], weights: ArrayLike, title: str = ""
) -> Figure:
    """What each head of each layer looks at: a row of matrices a layer, the first above; a column a head.

    Each matrix is one of `attention_matrix`. Words stand at the outer matrices alone.

    Args:
        source_tokens: words of the source sentence.
        target_tokens: words of its translation.
        weights: [layers, heads, target, source] attention weights, from 0 to 1.
        title: a line above the picture.

    Raises:
        UserError: the weights do not fit the words.
    """
    cubes = np.asarray(weights, dtype=np.float32)
    if cubes.ndim != 4 or cubes.shape[2:] != (len(target_tokens), len(source_tokens)):
        raise UserError(
            f"Attention weights of shape {cubes.shape} do not fit {len(target_tokens)} target and {len(source_tokens)} "
            "source words. Expected [layers, heads, target, source]."
        )
    layers, heads, targets, sources = cubes.shape
    labels = Labels([*source_tokens, *target_tokens, title])
    across, down = ([_shortened(labels.write(word)) for word in words] for words in (source_tokens, target_tokens))
    cell = min(_CELL_INCHES / 2, _LARGEST_INCHES / max(layers * targets, heads * sources, 1))
    points = max(cell * 36, _SMALLEST_LABEL_POINTS)
    width, height = heads * (cell * sources + 0.2), layers * (cell * targets + 0.4)
    figure = _figure(width + _room(down, points), height + _room(across, points))
    for (layer, head), axes in np.ndenumerate(figure.subplots(layers, heads, squeeze=False)):
        axes.imshow(cubes[layer, head], cmap="gray", vmin=0.0, vmax=1.0, interpolation="nearest")
        axes.set_xlabel(f"layer {layer + 1}, head {head + 1}", fontsize=_SMALLEST_LABEL_POINTS)
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
        axes.set_xticks(range(sources), across if layer == 0 else [""] * sources)
        axes.set_yticks(range(targets), down if head == 0 else [""] * targets)
        labels.style(axes.get_xticklabels(), rotation=90, fontsize=points)
        labels.style(axes.get_yticklabels(), fontsize=points)
    if title:
        labels.style([figure.suptitle(labels.write(title), fontsize=max(points, 9.0))])
    return figure


def bleu_by_length(systems: Mapping[str, Sequence[LengthGroup]], title: str = "") -> Figure:
    """BLEU against sentence length for one or several systems, as in figure 2 of Bahdanau et al. (2015).

    Args:
        systems: name of each system and its groups (see `tfnmt.evaluation.lengths`). A group is drawn at its longest
            length.
        title: a line above the picture.
    """
    lines = {
        name: ([group.longest for group in groups], [group.score.value for group in groups])
        for name, groups in systems.items()
    }
    return _lines(lines, across="sentence length (words)", up="BLEU", title=title, lowest=0.0)


def learning_curves(
    runs: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    across: str = "updates",
    up: str = "validation cost (ln perplexity)",
    title: str = "",
) -> Figure:
    """Learning curves of one or several runs, as in figure 5 of Luong et al. (2015).

    Args:
        runs: name of each run, its positions (for example updates) and its values there.
        across: what the positions are.
        up: what the values are.
        title: a line above the picture.
    """
    return _lines(runs, across=across, up=up, title=title)


def to_png(figure: Figure, dots_per_inch: int = 100) -> bytes:
    """The picture as the bytes of a PNG file, cut to what is drawn."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=dots_per_inch, bbox_inches="tight")
    return buffer.getvalue()


def _figure(width: float, height: float) -> Figure:
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)  # a canvas of its own: nothing reaches for a window, whatever the user's backend is
    return figure


def _with_end(
    source_tokens: Sequence[str], target_tokens: Sequence[str], matrix: np.ndarray
) -> tuple[list[str], list[str]]:
    """The words of both axes, the end symbol added where the weights have a place for it."""
    sources, targets = list(source_tokens), list(target_tokens)
    fits = matrix.ndim == 2 and matrix.shape[0] - len(targets) in (0, 1) and matrix.shape[1] - len(sources) in (0, 1)
    if not fits:
        raise UserError(
            f"Attention weights of shape {matrix.shape} do not fit {len(targets)} target and {len(sources)} source "
            "words. Expected [target, source], with one more row or column at most, for the end symbol."
        )
    targets += [END_LABEL] * (matrix.shape[0] - len(targets))
    sources += [END_LABEL] * (matrix.shape[1] - len(sources))
    return sources, targets


def _shortened(label: str) -> str:
    return label if len(label) <= _LONGEST_LABEL else label[: _LONGEST_LABEL - 1] + "…"


def _room(labels: Sequence[str], points: float) -> float:
    """Inches that the longest label may take beside the matrix, and a margin."""
    return max(map(len, labels), default=0) * points / 72 + 1.0


def _draw_gold(axes: Axes, gold: GoldLinks) -> None:
    for link in sorted(gold.possible | gold.sure):
        corner = (link[0] - 0.5, link[1] - 0.5)
        style = "solid" if link in gold.sure else "dotted"
        frame = Rectangle(corner, 1, 1, fill=False, edgecolor="tab:red", linestyle=style, linewidth=1.5, clip_on=False)
        axes.add_patch(frame)


def _lines(
    lines: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    across: str,
    up: str,
    title: str,
    lowest: float | None = None,
) -> Figure:
    labels = Labels([*lines, across, up, title])
    figure = _figure(6.4, 4.0)
    axes = figure.add_subplot()
    # Dashes and markers as well as colours, so that lines can be told apart in print.
    looks = cycle([("-", "o"), ("--", "s"), ("-.", "^"), (":", "D"), ("-", "v"), ("--", "x")])
    for (name, (places, values)), (dashes, marker) in zip(lines.items(), looks, strict=False):
        axes.plot(places, values, linestyle=dashes, marker=marker, markersize=4, label=labels.write(name))
    axes.set_ylim(bottom=lowest)
    axes.grid(alpha=0.3)
    named = [
        axes.set_xlabel(labels.write(across)),
        axes.set_ylabel(labels.write(up)),
        axes.set_title(labels.write(title)),
    ]
    if lines:
        named += axes.legend().get_texts()
    labels.style(named)
    return figure
