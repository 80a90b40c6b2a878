import keras  # noqa: F401  (first: its import registers every class of the package, see tfnmt/__init__.py)
