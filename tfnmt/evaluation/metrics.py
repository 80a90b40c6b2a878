"""How good translations are: BLEU both ways the papers report it, and chrF.

Every score is computed by sacreBLEU on plain text, never on ids or on pieces of words, and against the references as
they were written, never against what a vocabulary left of them. The hypotheses come first everywhere.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import NamedTuple

from sacrebleu.metrics import BLEU, CHRF
from sacremoses import MosesTokenizer

from tfnmt.errors import UserError, nearest

UNKNOWN = "<unk>"
# A code point that no text contains (private use area). It replaces the name inside the symbol and leaves the brackets,
# so that every tokenizer still counts as many tokens as it would in the symbol itself.
_NEVER_MATCHES = "<\ue000>"


class Score(NamedTuple):
    """One corpus-level score.

    Attributes:
        value: from 0 to 100.
        signature: what has to be equal for two values to be comparable, in sacreBLEU's notation.
    """

    value: float
    signature: str

    def __str__(self) -> str:
        return f"{self.value:.2f} ({self.signature})"


Metric = Callable[[Sequence[str], Sequence[str]], Score]
"""Takes hypotheses and references, line by line; `functools.partial` fixes the options."""


def bleu_tokenized(
    hypotheses: Sequence[str],
    references: Sequence[str],
    lowercase: bool = False,
    language: str = "en",
) -> Score:
    """Tokenized BLEU: `multi-bleu.perl` on text tokenized as the Moses tokenizer does.

    This is the BLEU of tables 1 and 4 of Luong et al. (2015) and of Jean et al. (2015): corpus BLEU-4, one reference,
    no smoothing. The tokenizer here is sacremoses, which is nobody's model: a fault of a model's own tokenizer lowers
    the score instead of hiding in it. Apostrophes and brackets are not escaped to HTML entities; that renames tokens
    on both sides alike and leaves BLEU as it is.

    Args:
        hypotheses: plain text of the system, one sentence an item.
        references: plain text to compare with, as many items.
        lowercase: compare without case (`multi-bleu.perl -lc`), as is usual on Multi30k.
        language: two letters; chooses the non-breaking prefixes of the Moses tokenizer.

    Raises:
        UserError: the two sides differ in their number of lines, or there are none.
    """
    _check(hypotheses, references)
    metric = BLEU(lowercase=lowercase, force=True, tokenize="none", smooth_method="none")
    words = functools.partial(_moses_words, MosesTokenizer(language))
    tokenizer = f"tok:moses-{language}-sacremoses-{version('sacremoses')}"
    return _corpus_score(
        metric,
        [words(line) for line in _without_unknown(hypotheses)],
        [words(line) for line in references],
        lambda signature: signature.replace("tok:none", tokenizer),
    )


def bleu_detokenized(
    hypotheses: Sequence[str],
    references: Sequence[str],
    lowercase: bool = False,
    tokenizer: str = BLEU.TOKENIZER_DEFAULT,
) -> Score:
    """Detokenized BLEU: what `mteval-v13a` reports ("NIST BLEU" in Luong et al. 2015, table 2), through sacreBLEU.

    Args:
        hypotheses: plain text of the system, one sentence an item.
        references: plain text to compare with, as many items.
        lowercase: compare without case.
        tokenizer: sacreBLEU's name of the tokenizer applied to both sides. The default follows mteval-v13a; languages
            without blanks between words need another one ("zh", "ja-mecab", "ko-mecab", "char").

    Raises:
        UserError: the two sides differ in their number of lines, or there are none; the tokenizer is unknown or needs
            a package that is not installed.
    """
    _check(hypotheses, references)
    if tokenizer not in BLEU.TOKENIZERS:
        raise UserError(f"sacreBLEU has no tokenizer '{tokenizer}'. {nearest(tokenizer, BLEU.TOKENIZERS)}")
    try:
        metric = BLEU(lowercase=lowercase, tokenize=tokenizer)
    except (ImportError, RuntimeError) as error:
        raise UserError(f"sacreBLEU's tokenizer '{tokenizer}' cannot start: {' '.join(str(error).split())}") from error
    return _corpus_score(metric, _without_unknown(hypotheses), references)


def chrf(hypotheses: Sequence[str], references: Sequence[str]) -> Score:
    """chrF (Popović 2015): F-score of character 6-grams with recall weighted twice, no word n-grams.

    Raises:
        UserError: the two sides differ in their number of lines, or there are none.
    """
    _check(hypotheses, references)
    return _corpus_score(CHRF(), _without_unknown(hypotheses), references)


def _check(hypotheses: Sequence[str], references: Sequence[str]) -> None:
    if len(hypotheses) != len(references):
        raise UserError(
            f"There are {len(hypotheses)} translations but {len(references)} references. "
            "Line n of one belongs to line n of the other: find the missing lines before comparing."
        )
    if not hypotheses:
        raise UserError("There are no translations to score: both sides are empty.")


def _without_unknown(hypotheses: Sequence[str]) -> list[str]:
    """The symbol for an unknown word never matches, not even where a reference literally contains its name."""
    return [line.replace(UNKNOWN, _NEVER_MATCHES) for line in hypotheses]


def _moses_words(tokenizer: MosesTokenizer, line: str) -> str:
    return tokenizer.tokenize(line, return_str=True, escape=False)


def _corpus_score(
    metric: BLEU | CHRF,
    hypotheses: Sequence[str],
    references: Sequence[str],
    describe: Callable[[str], str] = str,
) -> Score:
    value = metric.corpus_score(hypotheses, [references]).score
    return Score(float(value), describe(str(metric.get_signature())))
