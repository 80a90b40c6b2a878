"""From a network to translations: search over any decoder, forced decoding, alignment, and the `Translator`."""

import keras  # noqa: F401  (first: its import registers every class of the package, see tfnmt/__init__.py)

from tfnmt.decoding.alignment import Alignment
from tfnmt.decoding.beam_search import BeamSearch
from tfnmt.decoding.candidate_list import CandidateList
from tfnmt.decoding.hypotheses import Hypotheses
from tfnmt.decoding.multi_task_translator import MultiTaskTranslator
from tfnmt.decoding.translation import Translation
from tfnmt.decoding.translator import Translator
from tfnmt.decoding.value_guided_search import ValueGuidedSearch

__all__ = [
    "Alignment",
    "BeamSearch",
    "CandidateList",
    "Hypotheses",
    "MultiTaskTranslator",
    "Translation",
    "Translator",
    "ValueGuidedSearch",
]
