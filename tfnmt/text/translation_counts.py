"""A bilingual lexicon counted from word alignments."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from tfnmt.errors import UserError
from tfnmt.text.lexicon import Lexicon, WordTranslation


class TranslationCounts:
    """How often each source word was linked to each target word; `p(target | source)` is its share.

    What Jean et al. (2015, section 4) take from a statistical aligner, which weighs links by their own probabilities;
    here each link counts one.
    """

    def __init__(self) -> None:
        self._counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.links = 0

    def add(
        self, source: Sequence[str], target: Sequence[str], links: Iterable[tuple[int, int]], where: str = ""
    ) -> None:
        """Count one sentence pair.

        Args:
            source, target: its words.
            links: (source word, target word), counted from 0.
            where: file and line, to be named in an error.

        Raises:
            UserError: a link is to a word that the sentence has not.
        """
        for i, j in links:
            if not (i < len(source) and j < len(target)):
                raise UserError(
                    f"{where + ': ' if where else ''}the link {i}-{j} is outside a pair of {len(source)} and "
                    f"{len(target)} words. Links and texts must be of the same lines, split into the same words."
                )
            self._counts[source[i]][target[j]] += 1
            self.links += 1

    def lexicon(self, translations: int, minimum_count: int = 1) -> Lexicon:
        """The likeliest translations of each word; among equals the first by code points.

        Args:
            translations: how many are kept of a word at most.
            minimum_count: links that a translation needs to be kept; probabilities are of all links.
        """
        entries = {}
        for source, counts in sorted(self._counts.items()):
            best = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:translations]
            kept = tuple(
                WordTranslation(word, count / counts.total()) for word, count in best if count >= minimum_count
            )
            if kept:
                entries[source] = kept
        return Lexicon(entries)
