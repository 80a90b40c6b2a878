"""Sentence pairs from files or generated -> checked, cached, shuffled, length-sorted batches."""

import keras  # noqa: F401  (first: its import registers every class of the package, see tfnmt/__init__.py)

from tfnmt.corpora.alternating_batches import AlternatingBatches, TaskBatch
from tfnmt.corpora.batches import Batch, Batches
from tfnmt.corpora.corpus_report import CorpusReport
from tfnmt.corpora.encoded_corpus import EncodedCorpus, LengthLimits
from tfnmt.corpora.order import InOrder, Order, ShuffledEachEpoch, ShuffledOnce
from tfnmt.corpora.parallel_text import ParallelText, TabSeparatedText
from tfnmt.corpora.sentence_pairs import PairList, SentencePair, SentencePairs, Where
from tfnmt.corpora.text_file import TextFile

__all__ = [
    "AlternatingBatches",
    "Batch",
    "Batches",
    "CorpusReport",
    "EncodedCorpus",
    "InOrder",
    "LengthLimits",
    "Order",
    "PairList",
    "ParallelText",
    "SentencePair",
    "SentencePairs",
    "ShuffledEachEpoch",
    "ShuffledOnce",
    "TabSeparatedText",
    "TaskBatch",
    "TextFile",
    "Where",
]
