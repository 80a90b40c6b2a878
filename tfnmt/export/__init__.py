"""A translator leaves the house: SavedModels that take raw sentences, and the way to load them again."""

import keras  # noqa: F401  (first: its import registers every class of the package, see tfnmt/__init__.py)

from tfnmt.export.exported_translator import ExportedTranslator, load
from tfnmt.export.saved_model import export_saved_model

__all__ = ["ExportedTranslator", "export_saved_model", "load"]
