"""Names of people that nobody bears: too many to learn, the same in every language, so that they must be copied."""

from __future__ import annotations

from tfnmt.corpora.phrasebook.table import rows

_BEGINNINGS, _ENDINGS = rows("names")[0]

NAMES = tuple(beginning + ending for ending in _ENDINGS for beginning in _BEGINNINGS)
