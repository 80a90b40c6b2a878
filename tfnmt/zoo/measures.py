"""What `evaluate` reports of a set of translations."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tfnmt.errors import UserError

if TYPE_CHECKING:
    from rich.table import Table

    from tfnmt.evaluation.lengths import LengthGroup


def measure(
    translations: Sequence[str],
    references: Sequence[str],
    language: str,
    sources: Sequence[str] | None = None,
    tokenizer: str = "13a",
) -> dict[str, Any]:
    """BLEU both ways the papers report it, lower-cased BLEU, chrF, and BLEU by length.

    Args:
        translations: one a line.
        references: as many.
        language: the target language, for the Moses tokenizer.
        sources: as many; without them there are no groups by their length.
        tokenizer: sacreBLEU's tokenizer for detokenized BLEU; `13a` is that of mteval-v13a.

    Returns:
        Data for JSON: `sentences`; `bleu_tokenized`, `bleu_tokenized_lowercase`, `bleu_detokenized` and `chrf`, each
        with `value` and `signature`; `by_source_length` and `by_reference_length`, groups with `shortest`, `longest`,
        `sentences` and `bleu`.
    """
    from tfnmt.evaluation import metrics
    from tfnmt.evaluation.lengths import bleu_by_reference_length, bleu_by_source_length

    scores = {
        "bleu_tokenized": metrics.bleu_tokenized(translations, references, language=language),
        "bleu_tokenized_lowercase": metrics.bleu_tokenized(translations, references, lowercase=True, language=language),
        "bleu_detokenized": metrics.bleu_detokenized(translations, references, tokenizer=tokenizer),
        "chrf": metrics.chrf(translations, references),
    }
    report: dict[str, Any] = {"sentences": len(references), **{name: score._asdict() for name, score in scores.items()}}
    metric = functools.partial(metrics.bleu_tokenized, language=language)
    report["by_reference_length"] = _groups(bleu_by_reference_length(translations, references, metric=metric))
    if sources is not None:
        report["by_source_length"] = _groups(bleu_by_source_length(sources, translations, references, metric=metric))
    return report


def _groups(groups: Sequence[LengthGroup]) -> list[dict[str, Any]]:
    return [
        {"shortest": group.shortest, "longest": group.longest, "sentences": group.sentences, "bleu": group.score.value}
        for group in groups
    ]


def perplexity(translator: Any, sources: Sequence[str], references: Sequence[str]) -> float:
    """Perplexity of the references under the model: words (or pieces) and one end symbol a sentence."""
    import tensorflow as tf

    from tfnmt.evaluation.perplexity import perplexity as of_sum

    log_probability = sum(translator.score(sources, references))
    rows = translator.target_tokenizer.split(tf.constant(list(references)))
    return of_sum(-log_probability, int(tf.size(rows.flat_values)) + len(references))


def lines(report: dict[str, Any]) -> list[str]:
    """The report for a person."""
    titles = {
        "bleu_detokenized": "BLEU, detokenized (mteval-13a)",
        "bleu_tokenized": "BLEU, tokenized, with case",
        "bleu_tokenized_lowercase": "BLEU, tokenized, lower case",
        "chrf": "chrF",
    }
    shown = [f"{title:<32}{report[name]['value']:6.2f}   {report[name]['signature']}" for name, title in titles.items()]
    if "perplexity" in report:
        shown.append(f"{'perplexity of the references':<32}{report['perplexity']:6.2f}")
    shown.extend(
        f"{'BLEU, ' + str(group['shortest']) + '-' + str(group['longest']) + ' source words':<32}{group['bleu']:6.2f}"
        f"   {group['sentences']} sentences"
        for group in report.get("by_source_length", [])
    )
    return shown


def table(reports: Sequence[Mapping[str, Any]]) -> Table:
    """Several reports side by side, a row each; the test set is the title where it is the same for all."""
    from rich import box
    from rich.table import Table

    columns = {
        "BLEU detok.": "bleu_detokenized",
        "BLEU tok.": "bleu_tokenized",
        "BLEU tok. lc": "bleu_tokenized_lowercase",
        "chrF": "chrf",
    }
    sets = {str(report["name"]) for report in reports}
    same = len(sets) == 1
    shown = Table("system", *([] if same else ["test set"]), box=box.SIMPLE, title=sets.pop() if same else None)
    for title in (*columns, "perplexity"):
        shown.add_column(title, justify="right")
    for report in reports:
        scores = (f"{report[name]['value']:.2f}" for name in columns.values())
        perplexity = f"{report['perplexity']:.2f}" if "perplexity" in report else "-"
        shown.add_row(report["system"], *([] if same else [report["name"]]), *scores, perplexity)
    return shown


def draw_by_length(path: str, systems: Mapping[str, Sequence[Mapping[str, Any]]], title: str = "") -> None:
    """A picture of BLEU by length (Bahdanau et al. 2015, figure 2; Luong et al. 2015, figure 6).

    Args:
        path: of the PNG file.
        systems: the name of each and the groups by some length of its report.
        title: a line above the picture.

    Raises:
        UserError: the file cannot be written.
    """
    from tfnmt.evaluation.lengths import LengthGroup
    from tfnmt.evaluation.metrics import Score
    from tfnmt.evaluation.pictures import bleu_by_length, to_png

    groups = {
        name: [LengthGroup(g["shortest"], g["longest"], g["sentences"], Score(g["bleu"], "")) for g in rows]
        for name, rows in systems.items()
    }
    write_picture(Path(path), to_png(bleu_by_length(groups, title)))


def write_picture(path: Path, png: bytes) -> None:
    """Raises:
    UserError: the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(png)
    except OSError as error:
        raise UserError(f"The picture '{path}' cannot be written: {error.strerror}.") from None
